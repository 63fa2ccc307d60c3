/** Exactly the text that would be sent, folded at first. */
export function SentText({ text }: { text: string }) {
  return (
    <details className="min-w-0 text-sm open:w-full">
      <summary className="flex min-h-9 w-max cursor-pointer items-center text-link underline pointer-coarse:min-h-11">
        Show what is sent ({text.length.toLocaleString("en")} characters)
      </summary>
      <p className="wrap-anywhere max-h-40 overflow-y-auto whitespace-pre-wrap rounded-md border border-line bg-sunken p-3">
        {text}
      </p>
    </details>
  );
}
