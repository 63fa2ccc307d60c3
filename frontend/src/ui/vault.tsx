import type { ReactNode } from "react";
import { paths } from "@/routing/paths";

/**
 * The operator's settings: the vault's name, logo, contact and terms. The server writes them,
 * escaped, into attributes of every page. At build time, when shells are rendered for all
 * installations, placeholders are written that the server fills in.
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
  // The development server leaves the placeholders.
  return value && value !== marks[name] ? value : otherwise;
}

/** Returns the name of the vault. */
export const vaultName = () => setting("vaultName", DEFAULT_NAME);

/** Returns the address of the terms: the operator's page, or ours. */
export const vaultTerms = () => setting("vaultTerms", paths.terms);

/** Returns the operator's email address or page; empty when not set up. */
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
  /** A name is set, but no contact to show it with. */
  "name alone": () => vaultName() !== DEFAULT_NAME && vaultContact() === "",
};

interface IfVaultProps {
  has: keyof typeof has;
  children: ReactNode;
  otherwise?: ReactNode;
}

/** Renders its content when the operator has set something up. */
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

/** The operator's logo, or `children` when there is none. */
export function VaultLogo({ className, children }: { className: string; children: ReactNode }) {
  return (
    <IfVault has="logo" otherwise={children}>
      <img src={setting("vaultLogo", "")} alt="" className={className} />
    </IfVault>
  );
}

/** Link to the operator's contact. */
export function ContactLink({ className }: { className: string }) {
  return (
    <a href={contactHref()} className={className}>
      {vaultContact()}
    </a>
  );
}
