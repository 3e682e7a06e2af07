import type { App } from '../app.ts'

/** What a module keeps for as long as the application lives: opened when first asked for, one for each application. */
export function perApp<T extends object>(open: (app: App) => T): (app: App) => T {
  const opened = new WeakMap<App, T>()
  return (app) => {
    let known = opened.get(app)
    if (!known) {
      known = open(app)
      opened.set(app, known)
    }
    return known
  }
}
