const oneOf =
  (...patterns: RegExp[]) =>
  (module: string) =>
    patterns.some((pattern) => pattern.test(module));

/** Modules that share a file, for output.codeSplitting of Vite's bundler. */
export const chunkGroups = [
  // Evaluated by src/app/boot, in a task of its own. What evaluates it stands in another file: the
  // browser parses again what stands on the stack when React creates errors.
  { name: "react", test: /node_modules\/(?:react|react-dom|scheduler)\//, priority: 3 },
  { name: "boot", test: /src\/app\/boot\/(?:react|nextTask)\.ts/, priority: 2 },
  // One file for what every page loads.
  { name: "base", tags: ["$initial" as const], priority: 1 },
  // Small modules of which many pages load some: separate files would cost bytes.
  {
    name: "pieces",
    test: oneOf(
      /src\/ui\/(?:Alert|Badge|ConfirmDialog|Panel|press|saveText|ScrollRegion|ShowMore|useIsMounted)\.tsx?/,
      /src\/content\/contentForm\.ts/,
      /lucide-react\/dist\/esm\/icons\/(?:check|download|eye|eye-off|pen-line|shield-check|x)\.mjs/,
    ),
  },
  { name: "client", test: /src\/(?:api\/(?:http|publicClient)\.ts|routing\/returnTo\.ts)/ },
  {
    name: "visitor",
    test: /src\/(?:account\/LoginLink\.tsx|ui\/(?:LinkButton\.tsx|focusOnMount\.ts|registration\.ts))/,
  },
  { name: "field", test: /src\/ui\/form\/(?:FieldShell|TextArea|TextField)\.tsx/ },
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
    test: /src\/(?:account\/ConfirmAddress\.tsx|ui\/(?:EmptyState|ListSkeleton|LoadFailure|Skeleton)\.tsx|ui\/bytes\.ts)/,
  },
  // The account in the header, which is loaded after the page.
  {
    name: "account",
    test: oneOf(
      /src\/(?:account\/(?:AccountMenu|revalidateUser|followOtherTabs|useLogout|useSignedOut)|notices\/NoticeBell|store\/localDrafts|ui\/(?:Avatar|Menu))\.tsx?/,
      /lucide-react\/dist\/esm\/icons\/(?:chevron-down|log-out|user-round)\.mjs/,
    ),
  },
  // Pages of a link.
  {
    name: "recipient",
    test: /src\/(?:features\/recipient\/(?:components\/(?:Steps|VisitGate)\.tsx|(?:leaving|pause|viewEnd|visit)\.ts)|sharing\/agreement\.ts|pdf\/(?:loadEngine|windowStyles)\.ts)/,
  },
  { name: "html", test: /src\/(?:content\/(?:addresses|readHtml)\.tsx?|ui\/addresses\.ts)/ },
  // Comments, below a document.
  {
    name: "comments",
    test: /src\/(?:sharing\/(?:CommentEntry|CommentForm|CommentText|CommentThreads|commentActions|threads)\.tsx?|api\/fileDownload\.ts|features\/recipient\/useNow\.ts)/,
  },
];
