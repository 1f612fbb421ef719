// A number is sent as text.
import { EventType, type TextMessageContentEvent } from "@ag-ui/core";

export const event: TextMessageContentEvent = {
  type: EventType.TEXT_MESSAGE_CONTENT,
  messageId: "m1",
  delta: "5",
};
