import type { App } from '../../src/app.ts'

/** The path under which the service is reached. */
export const rootOf = ({ config }: App): string => new URL(config.baseUrl).pathname.replace(/\/$/, '')
