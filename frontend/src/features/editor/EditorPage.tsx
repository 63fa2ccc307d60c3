import "@/ui/prose.css";
import { useState } from "react";
import { useNavigate, useParams } from "react-router";
import { paths } from "@/routing/paths";
import { type Assistant, AssistantSlot } from "./assistantSlot";
import { EditorSession } from "./components/EditorSession";

/**
 * The screen /editor/{id}. Creating an idea changes the address from /editor/new to its own, which
 * must not lose the caret, the undo history or the place on the page: the session that created an
 * idea stays mounted at that idea's address.
 */
export function EditorPage({ assistant }: { assistant: Assistant }) {
  const { id = "new" } = useParams();
  const navigate = useNavigate();
  const [created, setCreated] = useState<{ id: string; session: number } | null>(null);
  const [session, setSession] = useState({ id, number: 0 });

  // A new address is a new session, unless it is that of the idea which this session created.
  if (session.id !== id) {
    const isOwn = session.id === "new" && created?.session === session.number && created.id === id;
    setSession({ id, number: isOwn ? session.number : session.number + 1 });
  }

  return (
    <AssistantSlot value={assistant}>
      <EditorSession
        key={session.number}
        ideaId={id === "new" ? null : Number(id)}
        onCreated={(idea) => {
          setCreated({ id: String(idea.id), session: session.number });
          navigate(paths.editor(idea.id), { replace: true, preventScrollReset: true });
        }}
      />
    </AssistantSlot>
  );
}
