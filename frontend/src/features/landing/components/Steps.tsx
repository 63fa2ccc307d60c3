const steps = [
  {
    title: "Write",
    text: "Write in a calm editor. Every save keeps the exact text and its fingerprint.",
  },
  {
    title: "Publish",
    text: "Publishing puts your idea on record, with a document ID and a timestamp. After that, nobody can change it.",
  },
  {
    title: "Share under agreement",
    text: "Send a link for one view, for a limited time, or to one address. You see who agreed and who viewed it.",
  },
];

/** Steps of how the product works, in order. */
export function Steps() {
  return (
    <section aria-labelledby="steps" className="mt-8 border-line border-t pt-10">
      <h2 id="steps" className="sr-only">
        How it works
      </h2>
      <ol className="grid gap-8 md:grid-cols-3">
        {steps.map(({ title, text }, index) => (
          <li key={title}>
            <span aria-hidden="true" className="font-semibold font-serif text-2xl text-seal">
              {index + 1}
            </span>
            <h3 className="mt-1 font-semibold text-lg">{title}</h3>
            <p className="mt-1 text-muted">{text}</p>
          </li>
        ))}
      </ol>
    </section>
  );
}
