import type { NodeKey } from "lexical";
import { Play } from "lucide-react";
import { useState } from "react";
import { cx } from "@/ui/cx";
import { videoPageUrl, videoPlayerUrl } from "../html/media";
import { selectedBlockStyles, useBlockSelection } from "./useBlockSelection";

interface VideoBlockProps {
  readonly nodeKey: NodeKey;
  readonly videoId: string;
}

/** A card in the player's size. Nothing is requested from YouTube until the user presses Play. */
export function VideoBlock({ nodeKey, videoId }: VideoBlockProps) {
  const { ref, isSelected } = useBlockSelection<HTMLDivElement>(nodeKey);
  const [isPlaying, setPlaying] = useState(false);
  return (
    <div
      ref={ref}
      className={cx(
        "mx-auto flex aspect-video w-full max-w-[560px] flex-col items-center justify-center gap-3 overflow-hidden whitespace-normal rounded-md bg-night font-sans text-on-night text-sm leading-normal",
        isSelected && selectedBlockStyles,
      )}
    >
      {isPlaying ? (
        <iframe
          src={videoPlayerUrl(videoId)}
          width={560}
          height={315}
          title="YouTube video"
          allow="autoplay; fullscreen"
          allowFullScreen
          referrerPolicy="strict-origin-when-cross-origin"
        />
      ) : (
        <>
          <button
            type="button"
            aria-label="Play video"
            onClick={() => setPlaying(true)}
            className="inline-flex size-14 items-center justify-center rounded-full bg-night-mark text-white hover:opacity-90 print:hidden"
          >
            <Play className="size-6 fill-current" aria-hidden="true" />
          </button>
          {/* Not a paragraph: those are aligned like the document's text. */}
          <div className="px-4 text-center">
            YouTube video, {videoPageUrl(videoId)}
            <br />
            <span className="text-night-muted print:hidden">
              Plays from YouTube when you press Play.
            </span>
          </div>
        </>
      )}
    </div>
  );
}
