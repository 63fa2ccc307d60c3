import { useState } from "react";
import { cx } from "./cx";

interface AvatarProps {
  name: string | undefined;
  image: string | null | undefined;
  className?: string;
}

/**
 * Profile image, else (also when it does not load) the first letter of the name, else 'U'.
 * Decoration: the name is next to it in text.
 */
export function Avatar({ name, image, className }: AvatarProps) {
  const shape = cx("size-9 shrink-0 rounded-full", className);
  const [broken, setBroken] = useState<string>();
  if (image && image !== broken) {
    return (
      <img
        src={image}
        alt=""
        onError={() => setBroken(image)}
        className={cx(shape, "object-cover")}
      />
    );
  }
  const [initial = "U"] = name?.trim() ?? "";
  return (
    <span
      aria-hidden="true"
      className={cx(
        shape,
        "inline-flex select-none items-center justify-center bg-seal-soft font-semibold text-seal",
      )}
    >
      {initial.toUpperCase()}
    </span>
  );
}
