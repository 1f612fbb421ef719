// Content belongs to a message: an event without its id cannot be written.
import { EventType, type TextMessageContentEvent } from "@ag-ui/core";

export const event: TextMessageContentEvent = { type: EventType.TEXT_MESSAGE_CONTENT, delta: "Hello" }; //~ ERROR TS2741
