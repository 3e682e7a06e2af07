type Call = { url: string; provider?: string | undefined; pin?: string | undefined; phone?: string | undefined }

/** A call on one line. */
export const callLine = ({ url, provider, pin, phone }: Call): string =>
  [provider, url, pin && `PIN ${pin}`, phone].filter(Boolean).join(', ')
