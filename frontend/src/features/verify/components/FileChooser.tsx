import { FileSearch } from "lucide-react";
import { type DragEvent, useRef, useState } from "react";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { messages } from "../messages";

interface FileChooserProps {
  /** After the first file, the place is needed for the result. */
  isSmall: boolean;
  onChosen: (file: File) => void;
}

/** Takes a file, dropped or chosen. */
export function FileChooser({ isSmall, onChosen }: FileChooserProps) {
  const input = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const [file] = event.dataTransfer.files;
    if (file) onChosen(file);
  };
  return (
    <form
      onSubmit={(event) => event.preventDefault()}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={({ relatedTarget, currentTarget }) => {
        const isInside = relatedTarget instanceof Node && currentTarget.contains(relatedTarget);
        if (!isInside) setOver(false);
      }}
      onDrop={drop}
      className={cx(
        "flex flex-col items-center gap-4 rounded-lg border-2 border-dashed px-5 text-center transition-colors",
        isOver ? "border-seal bg-seal-soft" : "border-line-strong bg-surface",
        isSmall ? "py-5 sm:flex-row sm:justify-between sm:text-left" : "py-12 sm:py-16",
      )}
    >
      {!isSmall && (
        <FileSearch className="size-12 text-seal" strokeWidth={1.25} aria-hidden="true" />
      )}
      <div className="min-w-0">
        <p className="font-semibold font-serif text-xl">{messages.file.drop}</p>
        {!isSmall && (
          <p className="mx-auto mt-1 max-w-md text-muted text-sm">{messages.file.hint}</p>
        )}
      </div>
      <input
        ref={input}
        type="file"
        accept=".zip,application/zip"
        aria-label={messages.file.label}
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) onChosen(file);
          // The same file can be chosen again.
          target.value = "";
        }}
      />
      <Button
        variant={isSmall ? "secondary" : "primary"}
        className="shrink-0"
        onClick={() => input.current?.click()}
      >
        {isSmall ? messages.file.another : messages.file.choose}
      </Button>
    </form>
  );
}
