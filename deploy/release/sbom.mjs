// Writes the SBOM of the binary to standard output: its crates, and the npm packages in the pages
// that it embeds.
//
//   node deploy/release/sbom.mjs CRATES.cdx.json NPM.cdx.json CARGO_TREE BUNDLED.json
//
// The lists of cargo-cyclonedx and cyclonedx-npm have also what other features, platforms and the
// build alone would need. What cargo and Vite have built in decides; if they name something that the
// lists lack, there is no SBOM.

import { readFileSync } from "node:fs";

const [crates, npm, tree, bundled] = process.argv
  .slice(2)
  .map((path) => readFileSync(path, "utf8"));
// Crates of the workspace have the path of the checkout in their names.
const sbom = JSON.parse(crates.replaceAll(`file://${process.cwd()}`, "file:///src"));
const pages = JSON.parse(npm);
const { dependencies } = JSON.parse(readFileSync("frontend/package.json", "utf8"));
// Vite names scripts. Fonts and base styles are from these.
const styles = new Set([...Object.keys(dependencies), "tailwindcss"]);

const full = ({ group, name }) => (group ? `${group}/${name}` : name);
const named = (component) => `${full(component)} v${component.version}`;
const lines = tree.split("\n").filter(Boolean);
const inBinary = new Set([
  ...lines.map((line) => line.split(" ").slice(0, 2).join(" ")),
  ...JSON.parse(bundled).map(named),
]);
const isBuiltIn = (component) => inBinary.has(named(component)) || styles.has(full(component));

const root = sbom.metadata.component;
const frontend = pages.metadata.component;
const components = [
  ...sbom.components.filter((component) => inBinary.has(named(component))),
  frontend,
  ...pages.components.filter(isBuiltIn),
];
const listed = new Set([root, ...components].map(named));
const missing = [...inBinary].filter((component) => !listed.has(component));
if (missing.length > 0) {
  console.error(`The SBOM would lack what is in the binary: ${missing.join(", ")}`);
  process.exit(1);
}

const refs = new Set([root, ...components].map((component) => component["bom-ref"]));
sbom.components = components;
sbom.dependencies = [...sbom.dependencies, ...pages.dependencies]
  .filter(({ ref }) => refs.has(ref))
  .map(({ ref, dependsOn = [] }) => ({ ref, dependsOn: dependsOn.filter((to) => refs.has(to)) }));
const web = components.find(({ name }) => name === "ideavault-web")["bom-ref"];
sbom.dependencies.find(({ ref }) => ref === web).dependsOn.push(frontend["bom-ref"]);
sbom.metadata.tools.push({ vendor: "CycloneDX", name: "cyclonedx-npm" });
console.log(JSON.stringify(sbom, null, 2));
