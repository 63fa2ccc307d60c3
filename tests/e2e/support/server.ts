import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { createWriteStream } from "node:fs";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import { createServer } from "node:net";
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
  const listen = `127.0.0.1:${await freePort()}`;
  const url = `http://${listen}`;
  const logFile = join(artifacts, `${name}.log`);
  const log = createWriteStream(logFile);

  const server = spawn(binary, ["serve"], {
    env: {
      PATH: process.env.PATH,
      RUST_LOG: "debug",
      IDEAVAULT_LISTEN: listen,
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

  await ready(url, server).catch(async (error: unknown) => {
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

async function ready(url: string, server: ChildProcess): Promise<void> {
  const failed = once(server, "error").then(([error]) => Promise.reject(error));
  const deadline = Date.now() + startDeadline;
  const poll = async () => {
    while (server.exitCode === null && Date.now() < deadline) {
      const answer = await fetch(`${url}/readyz`).catch(() => undefined);
      if (answer?.ok) return;
      await delay(20);
    }
    throw new Error(
      server.exitCode === null
        ? `not ready after ${startDeadline} ms`
        : `exit code ${server.exitCode}`,
    );
  };
  await Promise.race([poll(), failed]);
}

async function freePort(): Promise<number> {
  const probe = createServer().listen(0, "127.0.0.1");
  await once(probe, "listening");
  const address = probe.address();
  probe.close();
  if (address === null || typeof address === "string") throw new Error("no TCP port");
  return address.port;
}
