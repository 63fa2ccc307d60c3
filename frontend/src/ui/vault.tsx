import type { ReactNode } from "react";
import { paths } from "@/app/paths";

/**
 * What the operator has set up: the vault's name, logo, contact and terms. The server writes it
 * into the attributes of every page, escaped. Where the build writes pages, which are the same for
 * all installations, it leaves marks that the server fills in.
 */
const DEFAULT_NAME = "IdeaVault";

const marks = {
  vaultName: "__VAULT_NAME__",
  vaultLogo: "__VAULT_LOGO__",
  vaultContact: "__VAULT_CONTACT__",
  vaultTerms: "__VAULT_TERMS__",
} as const;

const isBuild = typeof document === "undefined";

function setting(name: keyof typeof marks, otherwise: string): string {
  if (isBuild) return marks[name];
  const value = document.documentElement.dataset[name];
  // The development server fills in nothing.
  return value && value !== marks[name] ? value : otherwise;
}

/** The name of the vault. */
export const vaultName = () => setting("vaultName", DEFAULT_NAME);

/** The terms that people agree to: a page of the operator's, or ours. */
export const vaultTerms = () => setting("vaultTerms", paths.terms);

/** The operator's mail address or page; empty where none is set up. */
export const vaultContact = () => setting("vaultContact", "");

function contactHref(): string {
  if (isBuild) return "__VAULT_CONTACT_HREF__";
  const contact = vaultContact();
  return contact.startsWith("https://") ? contact : `mailto:${contact}`;
}

const has = {
  logo: () => setting("vaultLogo", "") !== "",
  contact: () => vaultContact() !== "",
  terms: () => vaultTerms() !== paths.terms,
  /** A name, and no contact beside which it would stand. */
  "name alone": () => vaultName() !== DEFAULT_NAME && vaultContact() === "",
};

interface IfVaultProps {
  has: keyof typeof has;
  children: ReactNode;
  otherwise?: ReactNode;
}

/** Shows its content where the operator has set something up. */
export function IfVault({ has: what, children, otherwise }: IfVaultProps) {
  if (!isBuild) return has[what]() ? children : otherwise;
  return (
    <>
      {`[[if ${what}]]`}
      {children}
      [[else]]
      {otherwise}
      [[end]]
    </>
  );
}

/** The operator's logo; `children` where there is none. */
export function VaultLogo({ className, children }: { className: string; children: ReactNode }) {
  return (
    <IfVault has="logo" otherwise={children}>
      <img src={setting("vaultLogo", "")} alt="" className={className} />
    </IfVault>
  );
}

/** A link to the operator. */
export function ContactLink({ className }: { className: string }) {
  return (
    <a href={contactHref()} className={className}>
      {vaultContact()}
    </a>
  );
}
