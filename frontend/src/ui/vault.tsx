/**
 * The operator's settings: the vault's name, logo, contact and terms, and the size of PDFs.
 *
 * In the browser they are read from attributes of the document, which the server writes. While the
 * build renders the shells, for all installations at once, nobody knows them: placeholders and
 * conditions are written instead (template.tsx).
 */
import type { ReactNode } from "react";
import { paths } from "@/routing/paths";
import { conditional, isBuild, variable } from "./template";

const DEFAULT_NAME = "IdeaVault";

const placeholders = {
  vaultName: variable("vault.name"),
  vaultLogo: variable("vault.logo"),
  vaultContact: variable("vault.contact"),
  vaultContactLink: variable("vault.contact_link"),
  vaultTerms: variable("vault.terms"),
  pdfSize: variable("pdf.size"),
  viewWindow: variable("view.window"),
};

function setting(name: keyof typeof placeholders, otherwise: string): string {
  if (isBuild) return placeholders[name];
  const value = document.documentElement.dataset[name];
  // The development server leaves the placeholders.
  return value && value !== placeholders[name] ? value : otherwise;
}

/** Returns the name of the vault. */
export const vaultName = () => setting("vaultName", DEFAULT_NAME);

/** Returns the address of the terms: the operator's page, or ours. */
export const vaultTerms = () => setting("vaultTerms", paths.terms);

/** Returns the operator's email address or page; empty when not set up. */
export const vaultContact = () => setting("vaultContact", "");

/** Returns the size of the largest PDF. */
export const maxPdfSize = () => setting("pdfSize", "10 MB");

/** Returns how long a counted view lasts, in words. */
export const viewWindow = () => setting("viewWindow", "30 minutes");

/** Whether the operator has set something up. */
const conditions = {
  logo: () => setting("vaultLogo", "") !== "",
  contact: () => vaultContact() !== "",
  terms: () => vaultTerms() !== paths.terms,
  /** A name is set, but no contact to show it with. */
  "name alone": () => vaultName() !== DEFAULT_NAME && vaultContact() === "",
};

/** How they read in a template. */
const inTemplate: Record<keyof typeof conditions, string> = {
  logo: "vault.logo",
  contact: "vault.contact",
  terms: "vault.has_own_terms",
  "name alone": "vault.is_named and not vault.contact",
};

interface IfVaultProps {
  has: keyof typeof conditions;
  children: ReactNode;
  otherwise?: ReactNode;
}

/** Renders its content when the operator has set something up. */
export function IfVault({ has, children, otherwise }: IfVaultProps) {
  if (isBuild) return conditional(inTemplate[has], children, otherwise);
  return conditions[has]() ? children : otherwise;
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
    <a href={setting("vaultContactLink", "")} className={className}>
      {vaultContact()}
    </a>
  );
}
