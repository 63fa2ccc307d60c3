import { type DragEvent, useRef, useState } from "react";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { saveBlob } from "@/ui/saveText";
import { type Comparison, compare, MAX_FILE } from "./compare";
import { messages } from "./messages";

const words = messages.compare;

type State =
  | { phase: "idle" | "reading" }
  | { phase: "failed"; name: string; reason: string }
  | { phase: "done"; name: string; result: Comparison };

/** Compares a file of the visitor with the record, here in the browser. */
export function CompareDocument({ documentId, sha256 }: { documentId: string; sha256: string }) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const [state, setState] = useState<State>({ phase: "idle" });

  const read = async (file: File | undefined) => {
    if (!file) return;
    const { name } = file;
    if (file.size > MAX_FILE) {
      setState({ phase: "failed", name, reason: words.tooLarge });
      return;
    }
    setState({ phase: "reading" });
    try {
      const result = await compare(new Uint8Array(await file.arrayBuffer()), sha256);
      setState({ phase: "done", name, result });
    } catch {
      setState({ phase: "failed", name, reason: words.unreadable });
    }
  };
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    void read(event.dataTransfer.files[0]);
  };
  return (
    <form
      onSubmit={(event) => event.preventDefault()}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={drop}
      className={cx(
        "mt-8 rounded-lg border-2 border-dashed p-5 print:hidden sm:p-6",
        isOver ? "border-seal bg-seal-soft" : "border-line-strong bg-surface",
      )}
    >
      <h2 className="font-semibold font-serif text-xl">{words.title}</h2>
      <p className="mt-1 max-w-prose text-muted text-sm">{words.hint}</p>
      <input
        ref={input}
        type="file"
        aria-label={words.label}
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          void read(target.files?.[0]);
          // The same file can be chosen again.
          target.value = "";
        }}
      />
      <Button
        variant="secondary"
        className="mt-4"
        busy={state.phase === "reading"}
        onClick={() => input.current?.click()}
      >
        {words.choose}
      </Button>
      <div role="status" className="wrap-anywhere">
        {state.phase === "failed" && (
          <Answer name={state.name} tone="text-danger" title={state.reason} />
        )}
        {state.phase === "done" && <Result {...state} documentId={documentId} />}
      </div>
    </form>
  );
}

interface ResultProps {
  name: string;
  result: Comparison;
  documentId: string;
}

function Result({ name, result, documentId }: ResultProps) {
  switch (result.kind) {
    case "same":
      return <Answer name={name} tone="text-success" title={words.same} text={words.sameText} />;
    case "other":
      return <Answer name={name} tone="text-danger" title={words.other} text={words.otherText} />;
    case "holds":
      return (
        <>
          <Answer name={name} tone="text-success" title={words.holds} text={words.holdsText} />
          <Button
            variant="secondary"
            size="sm"
            className="mt-3"
            onClick={() => saveBlob(`${documentId}.txt`, new Blob([result.content]))}
          >
            {words.save}
          </Button>
        </>
      );
  }
}

interface AnswerProps {
  name: string;
  tone: string;
  title: string;
  text?: string;
}

function Answer({ name, tone, title, text }: AnswerProps) {
  return (
    <div className="mt-4">
      <p className={cx("font-semibold", tone)}>{title}</p>
      <p className="text-muted text-sm">
        <bdi>{name}</bdi>
      </p>
      {text && <p className="mt-1 max-w-prose">{text}</p>}
    </div>
  );
}
