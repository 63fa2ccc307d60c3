import { useEffect, useState } from "react";
import type { PdfFile } from "./engine";
import type { PdfPage } from "./enginePage";
import type { Size } from "./geometry";
import { type PdfProblem, problemOf } from "./loading";

/** Loads a page while it is near the viewport and releases it afterwards. */
export function usePage(
  file: PdfFile,
  number: number,
  onSize: (number: number, size: Size) => void,
  onProblem: (problem: PdfProblem) => void,
) {
  const [page, setPage] = useState<PdfPage | null>(null);
  const [failure, setFailure] = useState<PdfProblem | null>(null);

  const [fail] = useState(() => (error: unknown) => {
    const problem = problemOf(error);
    setFailure(problem);
    if (problem === "gone") onProblem(problem);
  });

  useEffect(() => {
    let isHere = true;
    let read: PdfPage | null = null;
    file.page(number).then(
      (found) => {
        read = found;
        if (!isHere) return found.release();
        onSize(number, found.size);
        setPage(found);
      },
      (error) => {
        if (isHere) fail(error);
      },
    );
    return () => {
      isHere = false;
      read?.release();
    };
  }, [file, number, onSize, fail]);

  return { page, failure, fail };
}
