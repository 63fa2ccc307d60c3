import { EditorPage } from "@/features/editor/EditorPage";

export const Component = EditorPage;
