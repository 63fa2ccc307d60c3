/** Reads the imports of the source code, for the test that checks them. */
import { existsSync, readdirSync, readFileSync } from "node:fs";
import { dirname, join, resolve } from "node:path";
import { type ESTree, parseSync, Visitor } from "vite";

const src = resolve(import.meta.dirname, "..");

/** Modules by their path below `src`, each with the modules that it imports. */
export type ImportGraph = ReadonlyMap<string, readonly string[]>;

/** Reads all modules below `src`, tests too. */
export function readImports(): ImportGraph {
  const modules = readdirSync(src, { recursive: true, encoding: "utf8" }).filter((file) =>
    /\.tsx?$/.test(file),
  );
  return new Map(
    modules.map((module) => {
      const specifiers = importsIn(module, readFileSync(join(src, module), "utf8"));
      return [module, specifiers.flatMap((specifier) => resolveImport(module, specifier))];
    }),
  );
}

/**
 * Returns what a module's text imports and re-exports: statically, dynamically, or only types.
 */
export function importsIn(module: string, text: string): string[] {
  const { program, errors } = parseSync(module, text);
  if (errors[0]) throw new Error(`${module}: ${errors[0].message}`);
  const found: string[] = [];
  const add = ({ source }: { source: ESTree.Expression | null }) => {
    if (source?.type === "Literal") found.push(String(source.value));
    else if (source) throw new Error(`${module} imports an address that is computed`);
  };
  new Visitor({
    ImportDeclaration: add,
    ImportExpression: add,
    ExportNamedDeclaration: add,
    ExportAllDeclaration: add,
    TSImportType: add,
  }).visit(program);
  return found;
}

/** Returns the module that a specifier names; none for packages, styles and data. */
function resolveImport(module: string, specifier: string): string[] {
  const isOurs = specifier.startsWith("@/") || specifier.startsWith(".");
  if (!isOurs || /\.(css|json)$|\?/.test(specifier)) return [];
  const base = specifier.startsWith("@/") ? specifier.slice(2) : join(dirname(module), specifier);
  const target = [`${base}.ts`, `${base}.tsx`, base].find((path) => existsSync(join(src, path)));
  if (target === undefined) throw new Error(`${module} imports ${specifier}, which does not exist`);
  return [target];
}

/** Finds import cycles; each is listed once, from its first module back to it. */
export function findCycles(graph: ImportGraph): string[][] {
  const done = new Set<string>();
  const cycles: string[][] = [];
  const visit = (module: string, path: readonly string[]) => {
    const start = path.indexOf(module);
    if (start >= 0) cycles.push([...path.slice(start), module]);
    if (start >= 0 || done.has(module)) return;
    for (const target of graph.get(module) ?? []) visit(target, [...path, module]);
    done.add(module);
  };
  for (const module of graph.keys()) visit(module, []);
  return cycles;
}
