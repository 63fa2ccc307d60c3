import { WriteWithAi } from "@/features/assistant/WriteWithAi";
import { EditorPage } from "@/features/editor/EditorPage";

/** The editor, with the writing assistant. */
export function EditorRoute() {
  return <EditorPage assistant={WriteWithAi} />;
}
