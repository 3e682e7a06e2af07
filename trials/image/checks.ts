/** Notes whether a promise holds; `detail` is shown with one that does not. */
export type Check = (what: string, isSo: boolean, detail?: string) => void

export type Checked = { what: string; isSo: boolean; detail: string }
