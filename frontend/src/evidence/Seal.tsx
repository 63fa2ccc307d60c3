import { useId } from "react";
import { cx } from "@/ui/cx";
import { KEYHOLE, SEAL } from "@/ui/Logo";
import type { EvidenceLevel } from "./confirmations";
import { messages } from "./messages";

interface SealProps {
  level: EvidenceLevel;
  className?: string;
  /** Without the small lettering, for sizes at which nobody could read it. */
  small?: boolean;
}

interface Look {
  /** Colour of the lines around the wax. */
  lines: string;
  /** Number of ellipses in the rosette, which grows richer with each confirmation. */
  ellipses: number;
  /** Outermost ring; `milled` is the edge of a coin. */
  edge: "dashed" | "single" | "double" | "milled";
  wax: "none" | "whole" | "cracked";
}

const looks: Record<EvidenceLevel, Look> = {
  none: { lines: "text-line-strong", ellipses: 0, edge: "dashed", wax: "none" },
  recorded: { lines: "text-muted", ellipses: 12, edge: "single", wax: "whole" },
  submitted: { lines: "text-muted", ellipses: 12, edge: "dashed", wax: "whole" },
  confirmed: { lines: "text-link", ellipses: 20, edge: "double", wax: "whole" },
  bitcoin: { lines: "text-gold", ellipses: 28, edge: "milled", wax: "whole" },
  stopped: { lines: "text-line-strong", ellipses: 12, edge: "single", wax: "cracked" },
};

/**
 * The seal of an idea: wax once it is on record, lines around it for each confirmation by others, and
 * the milled edge of a coin for Bitcoin.
 */
export function Seal({ level, className, small = false }: SealProps) {
  const id = useId();
  const { lines, ellipses, edge, wax } = looks[level];
  return (
    <svg
      viewBox={small ? "22 22 196 196" : "0 0 240 240"}
      role="img"
      aria-label={messages.level[level]}
      className={cx("shrink-0 overflow-visible", lines, className)}
    >
      <defs>
        <Wax id={id} isCracked={wax === "cracked"} />
        <path id={`${id}-top`} d="M17.5 120a102.5 102.5 0 0 1 205 0" />
        <path id={`${id}-bottom`} d="M9.6 120a110.4 110.4 0 0 0 220.8 0" />
      </defs>
      {!small && <Edge edge={edge} />}
      {!small && (
        <g
          className="notranslate fill-current font-semibold font-serif text-[12px] uppercase tracking-[0.16em]"
          textAnchor="middle"
        >
          <text>
            <textPath href={`#${id}-top`} startOffset="50%">
              {messages.level[level]}
            </textPath>
          </text>
          <text>
            <textPath href={`#${id}-bottom`} startOffset="50%">
              Evidence
            </textPath>
          </text>
          <circle cx="21.6" cy="155.8" r="1.8" />
          <circle cx="218.4" cy="155.8" r="1.8" />
        </g>
      )}
      <Rosette count={ellipses} small={small} />
      {wax !== "none" ? (
        <Disc id={id} isCracked={wax === "cracked"} />
      ) : (
        <g transform="translate(120 120) scale(3.7) translate(-16 -16)">
          <path
            d={SEAL}
            className="fill-surface stroke-current"
            strokeWidth="0.4"
            strokeDasharray="1.1 1"
          />
          <path d={KEYHOLE} className="fill-current" opacity="0.35" />
        </g>
      )}
    </svg>
  );
}

function Wax({ id, isCracked }: { id: string; isCracked: boolean }) {
  const wax = isCracked ? "var(--line-strong)" : "var(--seal-mark)";
  const mixed = (other: string, share: number) => `color-mix(in oklab, ${wax}, ${other} ${share}%)`;
  return (
    <>
      <radialGradient id={`${id}-wax`} cx="36%" cy="28%" r="82%">
        <stop offset="0%" stopColor={mixed("white", 20)} />
        <stop offset="45%" stopColor={wax} />
        <stop offset="100%" stopColor={mixed("black", 30)} />
      </radialGradient>
      <linearGradient id={`${id}-dip`} x1="0" y1="0" x2="1" y2="1">
        <stop offset="0%" stopColor={mixed("black", 28)} />
        <stop offset="100%" stopColor={mixed("white", 12)} />
      </linearGradient>
      <radialGradient id={`${id}-shade`}>
        <stop offset="70%" stopColor="black" stopOpacity="0.3" />
        <stop offset="100%" stopColor="black" stopOpacity="0" />
      </radialGradient>
    </>
  );
}

/** The rings that frame the lettering. */
function Edge({ edge }: Pick<Look, "edge">) {
  return (
    <g fill="none" stroke="currentColor">
      {edge === "milled" && (
        <circle cx="120" cy="120" r="117.2" strokeWidth="3.4" strokeDasharray="1.5 1.568" />
      )}
      <circle
        cx="120"
        cy="120"
        r="114.5"
        strokeWidth={edge === "double" || edge === "milled" ? 1.6 : 1}
        strokeDasharray={edge === "dashed" ? "3 4" : undefined}
      />
      {edge === "double" && <circle cx="120" cy="120" r="117.6" strokeWidth="0.7" />}
      <circle cx="120" cy="120" r="95" strokeWidth="0.7" />
    </g>
  );
}

/** Ellipses turned about the centre, as engravers draw them on banknotes. */
function Rosette({ count, small }: { count: number; small: boolean }) {
  return (
    <g fill="none" stroke="currentColor" strokeWidth={small ? 1.1 : 0.65}>
      {Array.from({ length: count }, (_, turn) => (
        <ellipse
          // biome-ignore lint/suspicious/noArrayIndexKey: the list never changes.
          key={turn}
          cx="120"
          cy="120"
          rx="91.5"
          ry="58"
          opacity={small ? 0.55 : 0.62}
          transform={`rotate(${(turn * 180) / count} 120 120)`}
        />
      ))}
      {small && <circle cx="120" cy="120" r="95" strokeWidth="2.5" />}
    </g>
  );
}

function Disc({ id, isCracked }: { id: string; isCracked: boolean }) {
  return (
    <g>
      <circle cx="122" cy="125" r="66" fill={`url(#${id}-shade)`} />
      <g transform="translate(120 120) scale(3.7) translate(-16 -16)">
        <path d={SEAL} fill={`url(#${id}-wax)`} />
        <path
          d={SEAL}
          fill="none"
          stroke="white"
          strokeOpacity="0.22"
          strokeWidth="0.35"
          transform="translate(0.28 0.28) scale(0.983)"
        />
        <circle cx="16" cy="16" r="10.4" fill="none" stroke={`url(#${id}-dip)`} strokeWidth="0.9" />
        <circle
          cx="16"
          cy="16"
          r="9.75"
          fill="none"
          stroke="white"
          strokeOpacity="0.16"
          strokeWidth="0.3"
        />
        <path d={KEYHOLE} fill="black" opacity="0.32" transform="translate(0.3 0.4)" />
        <path d={KEYHOLE} className="fill-white" />
        {isCracked && (
          <path
            d="m19.8 0.9-2 6.3 2.6 3.5-4.2 3.6 2.3 4.8-4.4 3.9 1.7 4.2-2.3 4.6"
            className="fill-none stroke-surface"
            strokeWidth="0.9"
            strokeLinejoin="round"
          />
        )}
      </g>
    </g>
  );
}
