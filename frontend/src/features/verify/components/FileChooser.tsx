import { FileSearch } from "lucide-react";
import { type DragEvent, useRef, useState } from "react";
import { Button } from "@/ui/Button";
import { cx } from "@/ui/cx";
import { messages } from "../messages";
import type { Chosen } from "../useCheck";

interface FileChooserProps {
  /** After the first file, the place is needed for the result. */
  isSmall: boolean;
  onChosen: (chosen: Chosen) => void;
}

/** Not in the types of React. */
const ONLY_FOLDERS = { webkitdirectory: "" };

/** Takes a file or a folder, dropped or chosen. */
export function FileChooser({ isSmall, onChosen }: FileChooserProps) {
  const input = useRef<HTMLInputElement>(null);
  const folderInput = useRef<HTMLInputElement>(null);
  const [isOver, setOver] = useState(false);
  const drop = (event: DragEvent) => {
    event.preventDefault();
    setOver(false);
    const { files, items } = event.dataTransfer;
    const entries = Array.from(items ?? [], (item) => item.webkitGetAsEntry());
    const [folder] = entries.filter((entry) => entry?.isDirectory);
    const [file] = files;
    if (folder) onChosen({ name: folder.name, content: [folder] });
    else if (file) onChosen({ name: file.name, content: file });
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
        accept=".zip,application/zip,.pdf,application/pdf"
        aria-label={messages.file.label}
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          const [file] = target.files ?? [];
          if (file) onChosen({ name: file.name, content: file });
          // The same file can be chosen again.
          target.value = "";
        }}
      />
      <input
        ref={folderInput}
        type="file"
        multiple
        {...ONLY_FOLDERS}
        aria-label={messages.file.folderLabel}
        tabIndex={-1}
        className="sr-only"
        onChange={({ target }) => {
          const files = [...(target.files ?? [])];
          const name = files[0]?.webkitRelativePath.split("/")[0] ?? "";
          if (files.length > 0) onChosen({ name, content: files });
          target.value = "";
        }}
      />
      <div className="flex shrink-0 flex-wrap justify-center gap-3">
        <Button variant={isSmall ? "secondary" : "primary"} onClick={() => input.current?.click()}>
          {isSmall ? messages.file.another : messages.file.choose}
        </Button>
        <Button variant="secondary" onClick={() => folderInput.current?.click()}>
          {messages.file.folder}
        </Button>
      </div>
    </form>
  );
}
