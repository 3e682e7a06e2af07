/** To the page of a provider, where the person allows the connection. Only an address of the web is opened. */
export function goToProvider(address: string): void {
  if (/^https?:\/\//i.test(address)) location.assign(address)
}
