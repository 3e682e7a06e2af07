/** A new page, so that nothing of the last organization stays in its memory. */
export const openOrganization = (id: string): void => location.assign(`/console/start?org=${id}`)
