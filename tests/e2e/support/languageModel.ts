import { once } from "node:events";
import { createServer, type ServerResponse } from "node:http";

/** A fake service with the chat completions protocol. */
export interface LanguageModel {
  /** Address without `/chat/completions`. */
  readonly baseUrl: string;
  /** Bodies of all requests so far. */
  readonly asked: ChatRequest[];
  /** Sets the content of the next responses. */
  replyWith(answer: { content: string; citations?: string[] }): void;
  /** Makes the next responses errors of this status. */
  failWith(status: number): void;
  stop(): Promise<void>;
}

export interface ChatRequest {
  model: string;
  messages: { role: string; content: string }[];
}

type Responder = (response: ServerResponse) => void;

/** Starts the service on a port of its own. */
export async function startLanguageModel(): Promise<LanguageModel> {
  const asked: ChatRequest[] = [];
  let respond: Responder = (response) => response.writeHead(500).end();
  const server = createServer(async (request, response) => {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part);
    if (request.method !== "POST" || request.url !== "/v1/chat/completions") {
      response.writeHead(404).end();
      return;
    }
    asked.push(JSON.parse(Buffer.concat(parts).toString("utf8")));
    respond(response);
  }).listen(0, "127.0.0.1");
  await once(server, "listening");
  const address = server.address();
  if (address === null || typeof address === "string") throw new Error("no TCP port");

  return {
    baseUrl: `http://127.0.0.1:${address.port}/v1`,
    asked,
    replyWith({ content, citations = [] }) {
      const body = JSON.stringify({
        choices: [{ message: { role: "assistant", content } }],
        citations,
      });
      respond = (response) =>
        response.writeHead(200, { "content-type": "application/json" }).end(body);
    },
    failWith(status) {
      respond = (response) => response.writeHead(status).end();
    },
    async stop() {
      server.closeAllConnections();
      server.close();
      await once(server, "close");
    },
  };
}
