import type { WorkingCopy } from "@/api/generated";
import { type ApiResult, send } from "@/api/http";
import { isAuthor } from "./asAuthor";
import type { CopyCalls } from "./serverCopy";

/**
 * The calls about unsaved text. They are made in the background, so only while its author is signed
 * in: the server would keep the text for whoever is.
 */
export const copyCalls = (userId: string): CopyCalls => ({
  load: async (ideaId) => {
    if (!isAuthor(userId)) return null;
    const { data } = await send<WorkingCopy | null>({ url: addressOf(ideaId) });
    return data ?? null;
  },
  keep: async (ideaId, body) =>
    isAuthor(userId) &&
    isSettled(await send({ url: addressOf(ideaId), method: "PUT", body, outlivesPage: true })),
  discard: async (ideaId, session) =>
    isAuthor(userId) &&
    isSettled(
      await send({
        url: addressOf(ideaId),
        method: "DELETE",
        params: { session },
        outlivesPage: true,
      }),
    ),
});

const addressOf = (ideaId: number | null) => `/api/ideas/${ideaId ?? "new"}/working-copy`;

/** Whether the same call again would have the same outcome. */
const isSettled = ({ error }: ApiResult<unknown>): boolean =>
  error === undefined || [400, 404, 409, 413].includes(error.status);
