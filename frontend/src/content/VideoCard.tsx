import { Play } from "lucide-react";
import { useState } from "react";

/** Size of a video in pixels (docs/rules.md#ui-constants). */
const SIZE = { width: 560, height: 315 };

/**
 * A video that loads nothing until the reader plays it. The frame sends our origin as referrer,
 * without which the player refuses; paths, and so tokens, are not sent.
 */
export function VideoCard({ id, title }: { id: string; title: string | null }) {
  const [playing, setPlaying] = useState(false);
  const name = title ?? "YouTube video";
  if (playing) {
    return (
      <iframe
        {...SIZE}
        src={`https://www.youtube-nocookie.com/embed/${id}?autoplay=1`}
        title={name}
        allow="autoplay; encrypted-media; fullscreen; picture-in-picture"
        allowFullScreen
        referrerPolicy="strict-origin-when-cross-origin"
      />
    );
  }
  return (
    <div className="mx-auto max-w-[560px] font-sans">
      <button
        type="button"
        onClick={() => setPlaying(true)}
        className="flex aspect-video w-full flex-col items-center justify-center gap-3 rounded-md bg-night p-4 text-on-night hover:bg-night-hover print:hidden"
      >
        <span className="inline-flex size-14 items-center justify-center rounded-full border-2 border-current">
          <Play className="size-6 translate-x-0.5" aria-hidden="true" />
        </span>
        <span className="font-semibold text-base">
          <span className="sr-only">Play: </span>
          {name}
        </span>
        <span className="text-sm opacity-85">Playing connects you to YouTube</span>
      </button>
      <p className="hidden print:block">
        {name}: https://www.youtube.com/watch?v={id}
      </p>
    </div>
  );
}
