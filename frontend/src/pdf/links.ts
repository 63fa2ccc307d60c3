/** The links on a page as data: area and target. */
import { linkAddress } from "@/ui/addresses";

/** Area of a link in per cent of its page. */
export interface LinkArea {
  readonly left: number;
  readonly top: number;
  readonly width: number;
  readonly height: number;
}

export type PageLink =
  | { readonly kind: "address"; readonly area: LinkArea; readonly address: string }
  | { readonly kind: "place"; readonly area: LinkArea; readonly destination: unknown };

interface Projection {
  readonly width: number;
  readonly height: number;
  convertToViewportPoint(x: number, y: number): number[];
}

/** Most links of one page; hostile files could slow the browser down with more. */
const MAX_LINKS = 500;

/**
 * Extracts the links to allowed addresses and to destinations in the document from a page's
 * annotations. Every other action of an annotation (running scripts, submitting forms, starting
 * programs) is dropped.
 */
export function findLinks(annotations: readonly unknown[], page: Projection): PageLink[] {
  return annotations.slice(0, MAX_LINKS).flatMap((annotation): PageLink[] => {
    if (typeof annotation !== "object" || annotation === null) return [];
    const { subtype, rect, url, dest }: Record<string, unknown> = { ...annotation };
    const area = subtype === "Link" ? areaOf(rect, page) : null;
    if (!area) return [];
    const address = linkAddress(url);
    if (address) return [{ kind: "address", area, address }];
    if (typeof dest === "string" || Array.isArray(dest)) {
      return [{ kind: "place", area, destination: dest }];
    }
    return [];
  });
}

function areaOf(rect: unknown, page: Projection): LinkArea | null {
  if (!Array.isArray(rect) || !rect.every(Number.isFinite)) return null;
  const [x1 = 0, y1 = 0, x2 = 0, y2 = 0]: number[] = rect;
  const [left = 0, top = 0] = page.convertToViewportPoint(x1, y1);
  const [right = 0, bottom = 0] = page.convertToViewportPoint(x2, y2);
  const area = {
    left: (100 * Math.min(left, right)) / page.width,
    top: (100 * Math.min(top, bottom)) / page.height,
    width: (100 * Math.abs(right - left)) / page.width,
    height: (100 * Math.abs(bottom - top)) / page.height,
  };
  return area.width > 0 && area.height > 0 ? area : null;
}
