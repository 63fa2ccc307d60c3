import { vi } from "vitest";

/** Fake XMLHttpRequest, so that a test controls the upload. */
export class FakeUpload {
  /** The uploads sent since `install`. */
  static sent: FakeUpload[] = [];

  static install() {
    FakeUpload.sent = [];
    vi.stubGlobal("XMLHttpRequest", FakeUpload);
  }

  upload: { onprogress?: (event: object) => void } = {};
  onload?: () => void;
  onerror?: () => void;
  onabort?: () => void;
  status = 0;
  statusText = "";
  responseText = "";
  withCredentials = false;
  aborted = false;
  method = "";
  url = "";
  body = new FormData();
  headers: Record<string, string> = {};

  open(method: string, url: URL) {
    this.method = method;
    this.url = url.pathname;
  }

  setRequestHeader(name: string, value: string) {
    this.headers[name] = value;
  }

  send(body: FormData) {
    this.body = body;
    FakeUpload.sent.push(this);
  }

  abort() {
    this.aborted = true;
    this.onabort?.();
  }

  progress(loaded: number, total: number) {
    this.upload.onprogress?.({ lengthComputable: true, loaded, total });
  }

  finish(status: number, answer?: object) {
    this.status = status;
    this.responseText = answer ? JSON.stringify(answer) : "";
    this.onload?.();
  }

  break() {
    this.onerror?.();
  }
}
