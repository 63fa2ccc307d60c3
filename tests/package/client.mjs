// People who use a vault through its proxy, for run.sh.
//
//   client.mjs begin STATE INVITATION   the first account, an idea, a link, a reader; writes STATE
//   client.mjs compare STATE            fails unless everything of STATE is there
//   client.mjs use STATE STOP           reads and saves until the file STOP is there; fails if
//                                       anything is refused or lost. STATE.reads counts the reads
//
// HOST names the vault, CERTIFICATE is the file with its certificate.

import assert from "node:assert/strict";
import { existsSync, readFileSync, writeFileSync } from "node:fs";
import { Agent, request } from "node:https";

const { HOST, CERTIFICATE } = process.env;
const agent = new Agent({ keepAlive: true, ca: readFileSync(CERTIFICATE), servername: HOST });
const content = (text) => `<p>${text}</p>`;
const FIRST = "A kettle that waits.";
const PASSWORD = "correct horse battery";
const EMAIL = "ada@example.org";

/** A browser, with its cookies. */
class Browser {
  constructor(cookies = {}) {
    this.cookies = cookies;
  }

  send(method, path, body) {
    const cookie = Object.entries(this.cookies).map((pair) => pair.join("="));
    const headers = { host: HOST, origin: `https://${HOST}`, cookie: cookie.join("; ") };
    if (body) headers["content-type"] = "application/json";
    return new Promise((resolve, reject) => {
      const sent = request({ agent, host: "127.0.0.1", method, path, headers }, (response) => {
        for (const line of response.headers["set-cookie"] ?? []) {
          const [name, value] = line.split(";")[0].split("=", 2);
          this.cookies[name] = value;
        }
        let text = "";
        response.setEncoding("utf8");
        response.on("data", (part) => {
          text += part;
        });
        response.on("end", () => resolve({ status: response.statusCode, text }));
        response.on("error", reject);
      });
      sent.on("error", reject);
      sent.end(body && JSON.stringify(body));
    });
  }

  /** Returns the answer, which must be a success. */
  async call(method, path, body) {
    const { status, text } = await this.send(method, path, body);
    assert.equal(Math.floor(status / 100), 2, `${method} ${path}: ${status} ${text}`);
    return text === "" ? undefined : JSON.parse(text);
  }
}

const commands = {
  async begin(path, invitation) {
    const ada = new Browser();
    const { status, text } = await ada.send("GET", "/");
    assert.equal(status, 200);
    assert.match(text, /<div id="root"/);
    const person = { name: "Ada", email: EMAIL, password: PASSWORD };
    await ada.call("POST", "/api/auth/register", { ...person, invitationToken: invitation });
    await ada.call("POST", "/api/auth/login", { email: EMAIL, password: PASSWORD });
    const made = { title: "Kettle", content: content(FIRST) };
    const { id: idea } = await ada.call("POST", "/api/ideas", made);
    const wanted = { ideaId: idea, shareType: "full-access" };
    const { accessLink: link } = await ada.call("POST", "/api/shares", wanted);
    const grace = new Browser();
    await grace.call("GET", `/api/share/${link}`);
    const details = { name: "Grace", email: "grace@example.org", accessToken: link };
    const { id: reader } = await grace.call("POST", "/api/recipients", details);
    await grace.call("PUT", `/api/recipients/${reader}/nda`, { agreed: true });
    const comment = { recipientId: reader, content: "How long?" };
    await grace.call("POST", "/api/comments", comment);
    const state = { idea, link, saves: 0, text: FIRST, ada: ada.cookies, grace: grace.cookies };
    // Reading counts a view, once.
    await grace.call("GET", `/api/share/${link}`);
    state.activity = await activity(ada, idea);
    await compare(state);
    writeFileSync(path, JSON.stringify(state));
  },

  async compare(path) {
    await compare(JSON.parse(readFileSync(path, "utf8")));
  },

  async use(path, stop) {
    const state = JSON.parse(readFileSync(path, "utf8"));
    const [ada, grace] = [new Browser(state.ada), new Browser(state.grace)];
    let reads = 0;
    const reading = async () => {
      while (!existsSync(stop)) {
        const opened = await grace.call("GET", `/api/share/${state.link}`);
        assert.equal(opened.stage, "open");
        reads += 1;
        writeFileSync(`${path}.reads`, `${reads}\n`);
      }
    };
    const saving = async () => {
      while (!existsSync(stop)) {
        state.saves += 1;
        state.text = `Save ${state.saves}.`;
        const changed = { title: "Kettle", content: content(state.text) };
        await ada.call("PUT", `/api/ideas/${state.idea}`, changed);
      }
    };
    await Promise.all([reading(), reading(), reading(), saving()]);
    await compare(state);
    writeFileSync(path, JSON.stringify(state));
    console.log(`${reads} reads and ${state.saves} saves, none refused`);
  },
};

/** Returns what readers have done, as the owner sees it. */
function activity(ada, idea) {
  return ada.call("GET", `/api/ideas/${idea}/activity`);
}

/** Fails unless owner and reader find what they left. */
async function compare(state) {
  const [ada, grace] = [new Browser(state.ada), new Browser(state.grace)];
  const idea = await ada.call("GET", `/api/ideas/${state.idea}`);
  assert.equal(idea.content, content(state.text));
  assert.deepEqual(await activity(ada, state.idea), state.activity);
  const opened = await grace.call("GET", `/api/share/${state.link}`);
  assert.equal(opened.idea.content, content(state.text));
  const comments = await ada.call("GET", `/api/comments?ideaId=${state.idea}`);
  assert.deepEqual(
    comments.map((comment) => comment.content),
    ["How long?"],
  );
  // The password counts as well, not just the session.
  await new Browser().call("POST", "/api/auth/login", { email: EMAIL, password: PASSWORD });
}

const [command, ...parameters] = process.argv.slice(2);
await commands[command](...parameters);
agent.destroy();
