import { baseApi } from "@/api/baseApi";
import type { ChatMessage } from "./conversation";

interface Question {
  message: string;
  conversationHistory: readonly ChatMessage[];
}

const assistantApi = baseApi.injectEndpoints({
  endpoints: (build) => ({
    askAssistant: build.mutation<{ response: string }, Question>({
      query: (body) => ({ url: "/api/ai-writing-assistant", method: "POST", body }),
    }),
  }),
});

/** Sends a message with all that was said before; answers with text. */
export const { useAskAssistantMutation } = assistantApi;
