import type { App } from '../../src/app.ts'

/** The path prefix of the service, as a browser sees it; empty without one. */
export const rootOf = ({ config }: App): string => new URL(config.baseUrl).pathname.replace(/\/$/, '')
