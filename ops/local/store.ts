export type StoreOptions = {
  dataDir: string
  /** False for tests: faster, and a crash may lose everything. */
  durable: boolean
  /** Any free one of 127.0.0.1 when absent. */
  port?: number
}

export type Store = {
  url: string
  pid: number
  port: number
  /** Where the files really are, which can be elsewhere than asked for. */
  directory: string
  /** Resolves when the server process ends, for whatever reason. */
  exited: Promise<void>
  /** Returns when it is gone; `now` forgoes the orderly shutdown, not the data. */
  stop(how?: StopManner): Promise<void>
}

export type StopManner = 'clean' | 'now'
