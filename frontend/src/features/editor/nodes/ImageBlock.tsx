import { useLexicalComposerContext } from "@lexical/react/LexicalComposerContext";
import { useLexicalEditable } from "@lexical/react/useLexicalEditable";
import type { NodeKey } from "lexical";
import { useEffect, useId, useRef, useState } from "react";
import { cx } from "@/ui/cx";
import type { ImageData } from "../html/media";
import { selectedBlockStyles, useBlockSelection } from "./useBlockSelection";

interface ImageBlockProps {
  readonly nodeKey: NodeKey;
  readonly image: ImageData;
  readonly onDescribe: (alt: string) => void;
}

/** The image as readers see it and, when selected, the field for its description. */
export function ImageBlock({ nodeKey, image, onDescribe }: ImageBlockProps) {
  const isEditable = useLexicalEditable();
  const { ref, isSelected } = useBlockSelection<HTMLDivElement>(nodeKey);
  const [isEditingAlt, setEditingAlt] = useState(false);
  const { src, alt, width, height } = image;
  return (
    <div ref={ref} className="whitespace-normal">
      <img
        src={src}
        alt={alt}
        draggable={false}
        {...(width > 0 && height > 0 ? { width, height } : {})}
        className={cx(isEditable && "cursor-default", isSelected && selectedBlockStyles)}
      />
      {isEditable && (isSelected || isEditingAlt) && (
        <AltField alt={alt} onDescribe={onDescribe} onFocusChange={setEditingAlt} />
      )}
    </div>
  );
}

interface AltFieldProps {
  readonly alt: string;
  readonly onDescribe: (alt: string) => void;
  readonly onFocusChange: (hasFocus: boolean) => void;
}

function AltField({ alt, onDescribe, onFocusChange }: AltFieldProps) {
  const [editor] = useLexicalComposerContext();
  const [value, setValue] = useState(alt);
  const input = useRef<HTMLInputElement>(null);
  const id = useId();

  useEffect(() => {
    const field = input.current;
    // Native listener, because Lexical listens below React: keys typed here would act on the
    // selected image. Ctrl/Cmd+S is for the whole page and is let through.
    const keep = (event: KeyboardEvent) => {
      if ((event.ctrlKey || event.metaKey) && event.key.toLowerCase() === "s") return;
      event.stopPropagation();
      if (event.key !== "Enter" && event.key !== "Escape") return;
      event.preventDefault();
      editor.getRootElement()?.focus({ preventScroll: true });
    };
    field?.addEventListener("keydown", keep);
    return () => field?.removeEventListener("keydown", keep);
  }, [editor]);

  return (
    <div className="mx-auto mt-2 flex max-w-md flex-col gap-1 font-sans text-sm leading-normal print:hidden">
      <label htmlFor={id} className="text-page-muted">
        Description for readers who cannot see the image
      </label>
      <input
        ref={input}
        id={id}
        type="text"
        value={value}
        maxLength={300}
        className="min-h-9 rounded-sm border border-page-line-strong bg-white px-2 text-base text-page-ink pointer-coarse:min-h-11"
        onFocus={() => onFocusChange(true)}
        onBlur={() => onFocusChange(false)}
        onChange={(event) => {
          setValue(event.target.value);
          onDescribe(event.target.value.trim());
        }}
      />
    </div>
  );
}
