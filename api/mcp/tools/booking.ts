// Pages on which guests book.
import { updateDetails } from '../../../src/bookingPages/details.ts'
import { changingTool, deletingTool, listingTool, readingTool } from './operationTools.ts'

/** Further fields of a page. In the list they would take half as many bytes again. */
const unlisted = Object.keys(updateDetails)

const ofPage = { id: 'booking_page_id', key: 'booking_page' }

/** In the order in which they are listed. */
export const bookingTools = [
  changingTool({
    name: 'create_booking_page',
    title: 'Create a booking page',
    description: 'A public page on which guests book a calendar; its address is booking_url.',
    effect: 'creates',
    twin: 'createBookingPage',
    unlisted,
    isBrief: true,
    key: 'booking_page',
    choice: 'calendar_id',
  }),
  listingTool({
    name: 'list_booking_pages',
    title: 'List booking pages',
    description: 'Newest first.',
    twin: 'listBookingPages',
    key: 'booking_pages',
  }),
  readingTool({
    ...ofPage,
    name: 'get_booking_page',
    title: 'Read a booking page',
    description: 'With its address and how often it was booked.',
    twin: 'getBookingPage',
  }),
  changingTool({
    ...ofPage,
    name: 'update_booking_page',
    title: 'Change a booking page',
    description: 'active=false closes it.',
    effect: 'changes',
    twin: 'updateBookingPage',
    unlisted,
  }),
  deletingTool({
    ...ofPage,
    name: 'delete_booking_page',
    title: 'Delete a booking page',
    description: 'Its bookings stay.',
    twin: 'deleteBookingPage',
    read: 'getBookingPage',
  }),
]
