import { type FormEvent, useState } from "react";
import { Button } from "@/ui/Button";
import { TextField } from "@/ui/form/TextField";
import type { VerifierKey } from "@/verify/checkpoint";
import { messages } from "../messages";

/** Takes the log's key from people who got it elsewhere; optional. */
export function KeyForm({ onKey }: { onKey: (key: VerifierKey | null) => void }) {
  const [text, setText] = useState("");
  const [isMalformed, setMalformed] = useState(false);
  const submit = async (event: FormEvent) => {
    event.preventDefault();
    const written = text.trim();
    const { parseKey } = await import("@/verify/verify");
    const key = written === "" ? null : parseKey(written);
    setMalformed(written !== "" && key === null);
    if (written === "" || key) onKey(key);
  };
  return (
    <details className="mt-3 text-sm">
      <summary className="inline-block min-h-11 cursor-pointer content-center font-medium text-link md:min-h-8">
        {messages.key.summary}
      </summary>
      <form noValidate onSubmit={submit} className="mt-2 flex flex-col items-start gap-3">
        <div className="w-full">
          <TextField
            label={messages.key.label}
            hint={messages.key.description}
            value={text}
            error={isMalformed ? messages.key.malformed : undefined}
            autoComplete="off"
            spellCheck={false}
            onChange={({ target }) => setText(target.value)}
          />
        </div>
        <Button type="submit" variant="secondary" size="sm">
          {messages.key.use}
        </Button>
      </form>
    </details>
  );
}
