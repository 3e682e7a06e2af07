// Forms that were not sent yet, per tab and organization: they outlive navigation and reload. Passwords are never kept.
import { chosenOrganization } from './organization.ts'

const prefix = 'draft:'

type Draft = Record<string, unknown>

const keyOf = (name: string): string => `${prefix}${chosenOrganization() ?? ''}:${name}`

export function readDraft(name: string): Draft | undefined {
  const text = sessionStorage.getItem(keyOf(name))
  return text === null ? undefined : (JSON.parse(text) as Draft)
}

export const keepDraft = (name: string, values: Draft): void =>
  sessionStorage.setItem(keyOf(name), JSON.stringify(values))

export const dropDraft = (name: string): void => sessionStorage.removeItem(keyOf(name))

export function dropDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
}
