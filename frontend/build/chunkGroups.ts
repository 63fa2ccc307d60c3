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
  // Small modules of which many pages load some: separate files would cost bytes.
  {
    name: "pieces",
    test: oneOf(
      /src\/ui\/(?:Alert|Badge|ConfirmDialog|Panel|focusOnMount)\.tsx?/,
      /lucide-react\/dist\/esm\/icons\/(?:check|download|eye|eye-off|pen-line|shield-check|x)\.mjs/,
    ),
  },
  { name: "client", test: /src\/(?:api\/(?:http|publicClient)\.ts|routing\/returnTo\.ts)/ },
  {
    name: "visitor",
    test: /src\/(?:account\/LoginLink\.tsx|ui\/(?:LinkButton\.tsx|registration\.ts))/,
  },
  { name: "field", test: /src\/ui\/form\/(?:FieldShell|TextArea|TextField)\.tsx/ },
  // For forms, and for toasts.
  { name: "press", test: /src\/ui\/press\.ts/ },
  {
    name: "form",
    test: oneOf(
      /src\/ui\/form\/(?:Form|formik|lazyValidation|useForm)\.tsx?/,
      /node_modules\/formik\//,
      /build\/formik\//,
    ),
  },
  {
    name: "auth",
    test: /src\/(?:features\/auth\/(?:components\/(?:AuthLayout|Divider|ProviderButtons)\.tsx|(?:messages|takeReturnTo|unprovenIdeas)\.ts)|ui\/form\/PasswordField\.tsx)/,
  },
  // Signed-in pages.
  {
    name: "creator",
    test: /src\/(?:account\/ConfirmAddress\.tsx|ui\/(?:EmptyState|ListSkeleton|ShowMore|Skeleton)\.tsx|ui\/bytes\.ts)/,
  },
  // Pages of a link.
  {
    name: "recipient",
    test: /src\/(?:features\/recipient\/(?:components\/(?:Steps|VisitGate)\.tsx|(?:leaving|pause|viewEnd|visit)\.ts))/,
  },
  // Documents, to read and to write.
  {
    name: "document",
    test: /src\/(?:content\/(?:addresses|contentForm)\.ts|ui\/(?:addresses\.ts|saveText\.ts|ScrollRegion\.tsx|useIsMounted\.ts))/,
  },
  // Comments, below a document.
  {
    name: "comments",
    test: /src\/(?:sharing\/(?:CommentEntry|CommentForm|CommentText|CommentThreads|commentActions|threads)\.tsx?)/,
  },
];
