import { type ReactNode, useId, useState } from "react";
import type { Idea } from "@/api/generated";
import { HtmlText } from "@/content/HtmlContent";
import { Button } from "@/ui/Button";
import { Dialog } from "@/ui/Dialog";
import { formatDateTime } from "@/ui/dates";
import { ScrollRegion } from "@/ui/ScrollRegion";
import { plainText } from "../comparison/compare";
import { ViewButton } from "../comparison/ViewButton";
import { WordChanges } from "../comparison/WordChanges";
import { type Conflict, sameContent, type Version } from "../session/conflict";
import { conflictMessages as texts } from "./conflictMessages";
import { ForeignContent } from "./ForeignContent";

export interface ConflictDialogProps {
  readonly conflict: Conflict;
  /** False when the browser cannot keep this page's text as a draft. */
  readonly canKeepAsDraft: boolean;
  readonly onKeepMine: () => void;
  readonly onTakeOther: () => void;
  readonly onClose: () => void;
}

/**
 * Shows both versions, read-only, or where they differ, with three options. Either choice keeps the
 * other version.
 */
export function ConflictDialogWindow({
  conflict: { mine, other },
  canKeepAsDraft,
  onKeepMine,
  onTakeOther,
  onClose,
}: ConflictDialogProps) {
  const isSame = sameContent(mine, other);
  const [view, setView] = useState<"versions" | "differences">("versions");
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={texts.title}
      description={isSame ? texts.sameContent : texts.description}
      className="sm:max-w-2xl lg:max-w-5xl"
      staysOnOutsideClick
    >
      {!isSame && (
        <div className="mt-4 flex flex-wrap gap-2">
          <ViewButton isOn={view === "versions"} onClick={() => setView("versions")}>
            {texts.versions}
          </ViewButton>
          <ViewButton isOn={view === "differences"} onClick={() => setView("differences")}>
            {texts.differences}
          </ViewButton>
        </div>
      )}
      {view === "versions" ? (
        <div className="mt-5 grid gap-5 md:grid-cols-2">
          <VersionPane heading={texts.mine} note={texts.notSaved} title={mine.title}>
            {!isSame && <Content version={mine} idea={other} />}
          </VersionPane>
          <VersionPane
            heading={texts.other}
            note={<time dateTime={other.lastModified}>{formatDateTime(other.lastModified)}</time>}
            title={other.title}
          >
            {!isSame && <Content version={other} idea={other} />}
          </VersionPane>
        </div>
      ) : (
        <Differences mine={mine} other={other} />
      )}
      <p className="mt-5 text-muted text-sm">
        {texts.afterwards(other.revision)} {canKeepAsDraft ? texts.aside : texts.notKept}
      </p>
      <div className="mt-4 flex flex-col-reverse gap-3 md:flex-row md:justify-end">
        <Button variant="ghost" onClick={onClose}>
          {texts.postpone}
        </Button>
        {canKeepAsDraft && (
          <Button variant="secondary" onClick={onTakeOther}>
            {texts.takeOther}
          </Button>
        )}
        <Button onClick={onKeepMine}>{texts.keepMine}</Button>
      </div>
    </Dialog>
  );
}

interface VersionPaneProps {
  readonly heading: string;
  readonly note: ReactNode;
  readonly title: string;
  readonly children: ReactNode;
}

function VersionPane({ heading, note, title, children }: VersionPaneProps) {
  const id = useId();
  return (
    <div className="flex min-w-0 flex-col">
      <h3 id={id} className="font-semibold">
        {heading}
      </h3>
      <p className="mb-2 text-muted text-sm">{note}</p>
      <ScrollRegion
        aria-labelledby={id}
        className="prose-page max-h-[26dvh] grow overflow-y-auto rounded-md border border-line p-4 sm:p-6 md:max-h-[46dvh]"
      >
        <p className="mb-3 font-semibold font-serif text-xl" dir="auto">
          {title}
        </p>
        {children}
      </ScrollRegion>
    </div>
  );
}

/** Marks the words that only one of the versions has. */
function Differences({ mine, other }: Conflict) {
  const id = useId();
  return (
    <div className="mt-5">
      <p id={id} className="mb-2 text-muted text-sm">
        {texts.legend}
      </p>
      <ScrollRegion
        aria-labelledby={id}
        className="max-h-[46dvh] overflow-y-auto rounded-md border border-line p-4 sm:p-6"
      >
        <WordChanges from={textOf(other)} to={textOf(mine)} />
      </ScrollRegion>
    </div>
  );
}

const textOf = ({ title, content }: Version) => `${title}\n\n${plainText(content)}`;

/** Renders a version as recipients see it. */
function Content({ version: { title, content }, idea }: { version: Version; idea: Idea }) {
  if (typeof content === "string") return <HtmlText html={content} />;
  return <ForeignContent idea={{ ...idea, title, content }} />;
}
