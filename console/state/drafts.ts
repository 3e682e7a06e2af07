// Forms that were not sent yet, per tab: they outlive navigation and reload. Passwords are never kept.

const prefix = 'draft:'

type Draft = Record<string, unknown>

export function readDraft(name: string): Draft | undefined {
  const text = sessionStorage.getItem(prefix + name)
  return text === null ? undefined : (JSON.parse(text) as Draft)
}

export const keepDraft = (name: string, values: Draft): void =>
  sessionStorage.setItem(prefix + name, JSON.stringify(values))

export const dropDraft = (name: string): void => sessionStorage.removeItem(prefix + name)

export function dropDrafts(): void {
  for (const key of Object.keys(sessionStorage)) if (key.startsWith(prefix)) sessionStorage.removeItem(key)
}
