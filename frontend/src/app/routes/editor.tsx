import { WriteWithAi } from "@/features/assistant/WriteWithAi";
import { EditorPage } from "@/features/editor/EditorPage";

export function Component() {
  return <EditorPage assistant={WriteWithAi} />;
}
