/** Actions on comments; each resolves to true, or to the server's message or false when refused. */
export interface CommentActions {
  answer: (replyTo: string, text: string) => Promise<boolean | string>;
  edit: (id: string, text: string) => Promise<boolean | string>;
  withdraw: (id: string) => Promise<boolean | string>;
}
