import { type ComponentType, createContext } from "react";

/** The writing assistant as the editor knows it: a button that opens it. */
export type Assistant = ComponentType<{ readInitialText: () => string }>;

/** The place for the assistant, which is a feature of its own and put in by the route. */
export const AssistantSlot = createContext<Assistant | null>(null);
