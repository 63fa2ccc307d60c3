import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { artifacts } from "./artifacts";

const binary =
  process.env.IDEAVAULT_BINARY ??
  fileURLToPath(new URL("../../../target/debug/ideavault", import.meta.url));

const startDeadline = 30_000;

/** The real server with a port and a data folder of its own. */
export interface Server {
  readonly url: string;
  /** Folder of its database, files and outbox. */
  readonly dataDir: string;
  /** Returns its log so far. */
  logs(): Promise<string>;
  /** Stops it, waits until it has exited and removes the data folder. */
  stop(): Promise<void>;
}

/** Options of a server. */
export interface ServerOptions {
  /** Added to its environment variables. */
  env?: Record<string, string>;
}

/** Starts the server; `name` is the name of its log among the artifacts. */
export async function startServer(name: string, options: ServerOptions = {}): Promise<Server> {
  const dataDir = await mkdtemp(join(tmpdir(), "ideavault-e2e-"));
  const logFile = join(artifacts, `${name}.log`);
  const log = createWriteStream(logFile);

  const server = spawn(binary, ["serve"], {
    env: {
      PATH: process.env.PATH,
      RUST_LOG: "debug",
      IDEAVAULT_LISTEN: "127.0.0.1:0",
      IDEAVAULT_DATA_DIR: dataDir,
      IDEAVAULT_RATE_LIMIT_SCALE: "0",
      ...options.env,
    },
    stdio: ["ignore", "pipe", "pipe"],
  });
  server.stdout.pipe(log, { end: false });
  server.stderr.pipe(log, { end: false });
  const killed = () => server.kill("SIGKILL");
  process.once("exit", killed);

  const url = await started(server).catch(async (error: unknown) => {
    server.kill("SIGKILL");
    throw new Error(`the server did not start:\n${await readFile(logFile, "utf8")}`, {
      cause: error,
    });
  });

  return {
    url,
    dataDir,
    logs: () => readFile(logFile, "utf8"),
    async stop() {
      process.off("exit", killed);
      if (server.exitCode === null) {
        server.kill("SIGTERM");
        await once(server, "exit");
      }
      log.end();
      await rm(dataDir, { recursive: true });
    },
  };
}

/** Waits until the server is ready, and returns its address. */
async function started(server: ChildProcess): Promise<string> {
  const failed = once(server, "error").then(([error]) => Promise.reject(error));
  const address = loggedAddress(server);
  const deadline = Date.now() + startDeadline;
  const poll = async () => {
    while (server.exitCode === null && Date.now() < deadline) {
      const url = address();
      if (url && (await isReady(url))) return url;
      await delay(20);
    }
    throw new Error(
      server.exitCode === null
        ? `not ready after ${startDeadline} ms`
        : `exit code ${server.exitCode}`,
    );
  };
  return Promise.race([poll(), failed]);
}

async function isReady(url: string): Promise<boolean> {
  const answer = await fetch(`${url}/readyz`).catch(() => undefined);
  return answer?.ok ?? false;
}

/** Reads the log of a server; the returned function returns the address, once that is known. */
function loggedAddress({ stderr }: ChildProcess): () => string | undefined {
  let log = "";
  let address: string | undefined;
  const read = (part: Buffer) => {
    log += part;
    address = /listening url="([^"]+)"/.exec(log)?.[1];
    if (address) stderr?.off("data", read);
  };
  stderr?.on("data", read);
  return () => address;
}
