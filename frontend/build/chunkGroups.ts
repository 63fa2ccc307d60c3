const oneOf =
  (...patterns: RegExp[]) =>
  (module: string) =>
    patterns.some((pattern) => pattern.test(module));

/** Modules that share a file, for output.codeSplitting of Vite's bundler. */
export const chunkGroups = [
  // Evaluated by the other one, in a task of its own. Two files, because the browser parses again
  // what stands on the stack when React creates errors.
  { name: "react", test: /node_modules\/(?:react|react-dom|scheduler)\//, priority: 3 },
  { name: "first", test: /src\/app\/react\.ts/, priority: 2 },
  // One file for what every page loads.
  { name: "base", tags: ["$initial" as const], priority: 1 },
  // Evaluated by src/app/evaluateApi.ts.
  {
    name: "query",
    test: oneOf(
      /src\/api\/query\.ts/,
      /node_modules\/(?:@reduxjs|@standard-schema|immer|reselect)\//,
    ),
  },
  // Small modules that many pages share: a file of its own costs a page half a kilobyte.
  {
    name: "pieces",
    test: oneOf(
      /src\/(?:api\/(?:http|publicClient|requestKeys)|routing\/returnTo)\.ts/,
      /src\/account\/LoginLink\.tsx/,
      /src\/ui\/(?:Alert|Badge|ConfirmDialog|focusIfLost|focusOnMount|LinkButton|Panel|press|registration|useIsMounted)\.tsx?/,
      /src\/ui\/form\/(?:FieldShell|TextArea|TextField)\.tsx/,
      /lucide-react\/dist\/esm\/icons\/(?:check|download|eye|eye-off|x)\.mjs/,
    ),
  },
  // The calls, for pages of creators and recipients.
  { name: "api", test: /src\/api\/(?:baseApi|enhanced|generated|multipart)\.ts/ },
  {
    name: "form",
    test: oneOf(
      /src\/ui\/form\/(?:Form|formik|lazyValidation|useForm)\.tsx?/,
      /node_modules\/(?:formik|hoist-non-react-statics|lodash-es|react-fast-compare)\//,
    ),
  },
  {
    name: "auth",
    test: /src\/(?:features\/auth\/(?:components\/(?:AuthLayout|Divider|ProviderButtons)\.tsx|(?:messages|takeReturnTo|unprovenIdeas)\.ts)|ui\/form\/PasswordField\.tsx)/,
  },
  // Unsaved work.
  {
    name: "unsaved",
    test: /src\/(?:store\/(?:localDrafts|unsavedWork)|ui\/useCloseWarning)\.ts/,
  },
  // Signed-in pages.
  {
    name: "creator",
    test: oneOf(
      /src\/(?:account\/ConfirmAddress|ui\/(?:EmptyState|ListSkeleton|ShowMore|Skeleton))\.tsx/,
      /src\/ui\/(?:bytes|searchWords)\.ts/,
      /\/LoadFailure\.tsx/,
      /icons\/pen-line\.mjs/,
    ),
  },
  // Pages of a share.
  {
    name: "recipient",
    test: oneOf(
      /src\/(?:features\/recipient\/(?:components\/(?:Steps|VisitGate)\.tsx|(?:leaving|pause|steps|viewEnd|visit)\.ts))/,
      /icons\/shield-check\.mjs/,
    ),
  },
  // Documents, to read and to write.
  {
    name: "document",
    test: /src\/(?:content\/(?:addresses|contentForm)\.ts|ui\/(?:addresses\.ts|saveText\.ts|ScrollRegion\.tsx))/,
  },
  // Words of links and readers.
  { name: "sharing", test: /src\/sharing\/(?:readerActs|shareTypes)\.ts/ },
  // Comments, below a document.
  {
    name: "comments",
    test: /src\/(?:sharing\/(?:CommentEntry|CommentForm|CommentText|CommentThreads|commentActions|threads)\.tsx?)/,
  },
];
