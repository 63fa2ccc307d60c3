import { useCallback, useEffect, useState } from "react";
import type { Notice } from "@/api/generated";
import { noticesClient } from "@/api/noticesClient";

interface Notices {
  data?: Notice[];
  isError: boolean;
  isFetching: boolean;
}

/** The newest notices, loaded when they are shown and when more are wanted. */
export function useNotices(limit: number) {
  const [state, setState] = useState<Notices>({ isError: false, isFetching: true });

  const refetch = useCallback(async () => {
    setState((before) => ({ ...before, isFetching: true }));
    const { data } = await noticesClient.list(limit);
    setState((before) =>
      data
        ? { data, isError: false, isFetching: false }
        : { ...before, isError: true, isFetching: false },
    );
  }, [limit]);

  useEffect(() => {
    void refetch();
  }, [refetch]);

  return { ...state, refetch };
}
