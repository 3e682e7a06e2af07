// The choices of a person, kept in this browser.
import { zoneName } from '../parts/zones.ts'
import { createStore } from './store.ts'

export type Settings = {
  theme: 'system' | 'light' | 'dark'
  weekStart: 'monday' | 'sunday'
  clock: '24' | '12'
  timezone: string
  secondTimezone: string
  language: 'en'
  singleKeys: boolean
}

const key = 'settings'

const defaults = (): Settings => ({
  theme: 'system',
  weekStart: 'monday',
  clock: '24',
  timezone: zoneName(Intl.DateTimeFormat().resolvedOptions().timeZone),
  secondTimezone: '',
  language: 'en',
  singleKeys: true,
})

function read(): Settings {
  try {
    return { ...defaults(), ...JSON.parse(localStorage.getItem(key) ?? '{}') }
  } catch {
    return defaults()
  }
}

export const settings = createStore<Settings>(read())

export function choose(change: Partial<Settings>): void {
  settings.set((now) => ({ ...now, ...change }))
  localStorage.setItem(key, JSON.stringify(settings.get()))
}

/** `data-theme` decides between light and dark; without it the system does. */
export function followTheme(): void {
  const apply = () => {
    const { theme } = settings.get()
    if (theme === 'system') delete document.documentElement.dataset.theme
    else document.documentElement.dataset.theme = theme
  }
  settings.subscribe(apply)
  addEventListener('storage', (event) => event.key === key && settings.set(read()))
  apply()
}
