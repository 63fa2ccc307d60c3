import { useLexicalComposerContext } from "@lexical/react/LexicalComposerContext";
import { useLexicalEditable } from "@lexical/react/useLexicalEditable";
import type { NodeKey } from "lexical";
import { useId, useState } from "react";
import { cx } from "@/ui/cx";
import type { ImageData } from "../html/media";
import { selectedBlockStyles, useBlockSelection } from "./useBlockSelection";

interface ImageBlockProps {
  readonly nodeKey: NodeKey;
  readonly image: ImageData;
  readonly onDescribe: (alt: string) => void;
}

/** The image as it will be read, and under it, once selected, its description. */
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
  const id = useId();

  const store = () => {
    onFocusChange(false);
    if (value !== alt) onDescribe(value.trim());
  };

  return (
    <div className="mx-auto mt-2 flex max-w-md flex-col gap-1 font-sans text-sm leading-normal">
      <label htmlFor={id} className="text-[#525c73]">
        Description for readers who cannot see the image
      </label>
      <input
        id={id}
        type="text"
        value={value}
        maxLength={300}
        className="min-h-9 rounded-sm border border-[#7c8496] bg-white px-2 text-base text-page-ink pointer-coarse:min-h-11"
        onFocus={() => onFocusChange(true)}
        onBlur={store}
        onChange={(event) => setValue(event.target.value)}
        onKeyDown={(event) => {
          // Keys belong to this field, not to the selected block around it.
          event.stopPropagation();
          if (event.key !== "Enter" && event.key !== "Escape") return;
          event.preventDefault();
          editor.focus();
        }}
      />
    </div>
  );
}
