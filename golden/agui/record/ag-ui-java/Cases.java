import com.agui.community.core.agent.RunAgentInput;
import com.agui.community.core.event.*;
import com.agui.community.core.interrupt.Interrupt;
import com.agui.community.core.interrupt.InterruptOutcome;
import com.agui.community.core.interrupt.SuccessOutcome;
import com.agui.community.core.message.AssistantMessage;
import com.agui.community.core.message.Message;
import com.agui.community.core.message.Role;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.IntStream;

/** The events of one run, made with the SDK's records, and the failure that its publisher ends with, if any. */
class Cases {
    final List<Event> events = new ArrayList<>();
    RuntimeException failure;
    private final RunAgentInput input;
    private int ids;

    Cases(RunAgentInput input) {
        this.input = input;
    }

    void play(String name) {
        if (name.equals("throwing")) {
            throw new IllegalStateException("the model cannot be reached"); // before there is a publisher
        }
        send(new RunStartedEvent(input.threadId(), input.runId()));
        switch (name) {
            case "text" -> message("Grüezi", " from", " Zürich", ": 21 °C", " & sunny ☀️ 🏔");
            case "long-text", "cancelled" -> message(
                    IntStream.range(0, 200).mapToObj(i -> i + " ").toArray(String[]::new));
            case "empty-answer" -> message();
            case "at-once-1", "at-once-2", "at-once-3" -> message("I am", " number ", name.substring(8), ".");
            // Cut between code points, never inside one.
            case "unicode" -> message("👩", "\u200d", "👧", " 🇨", "🇭", " e", "\u0301", " שלום", "\u2028",
                    "\\n \"<&>\"", "\n\t\r\n", "\0\ufeff", "𝄞");
            case "tool" -> tool();
            case "parallel-tools" -> parallelTools();
            case "failing-tool" -> failingTool();
            case "frontend-tool" -> call(message("Here is", " a card."), input.tools().get(0).name(),
                    "{\"title\":", "\"Zürich\"}");
            case "reasoning" -> reasoning();
            case "shared-state" -> sharedState();
            case "null-state" -> nullState();
            case "messages-snapshot" -> messagesSnapshot();
            case "activity" -> activity();
            case "steps" -> steps();
            case "chunks" -> chunks();
            case "meta" -> send(new MetaEvent("thumbs_up", Map.of("messageId", message("Hello."))));
            case "interrupt" -> {
                interrupt();
                return;
            }
            case "error-before" -> failure = new IllegalStateException("the model hung up");
            case "error-after" -> {
                send(new TextMessageContentEvent(open(), "It is"));
                failure = new IllegalStateException("the model hung up");
            }
            default -> throw new IllegalArgumentException("no case of that name");
        }
        if (failure == null) {
            send(new RunFinishedEvent(input.threadId(), input.runId()));
        }
    }

    private void send(Event... all) {
        events.addAll(List.of(all));
    }

    private String id(String kind) {
        return kind + "-" + ++ids;
    }

    private String open() {
        String id = id("message");
        send(new TextMessageStartEvent(id, Role.ASSISTANT));
        return id;
    }

    private String message(String... deltas) {
        String id = open();
        for (String delta : deltas) {
            send(new TextMessageContentEvent(id, delta));
        }
        send(new TextMessageEndEvent(id));
        return id;
    }

    private String call(String parent, String tool, String... arguments) {
        String id = id("call");
        send(new ToolCallStartEvent(id, tool, parent, null, null));
        for (String delta : arguments) {
            send(new ToolCallArgsEvent(id, delta));
        }
        send(new ToolCallEndEvent(id));
        return id;
    }

    private void result(String call, String content) {
        send(new ToolCallResultEvent(id("result"), call, content));
    }

    private void tool() {
        String parent = message("I will", " look.");
        result(call(parent, "weather", "{\"city\":", "\"Zürich\"}"), "{\"celsius\":21}");
        message("It is 21 °C", " in Zürich.");
    }

    private void failingTool() {
        String parent = message("I will look.");
        // The event has no field for an error: a failure can only be told in words.
        result(call(parent, "weather", "{\"city\":\"Atlantis\"}"), "error: no such city");
        message("There is no such city.");
    }

    /** Two calls streamed at once, and answered in the other order. */
    private void parallelTools() {
        String parent = message("I will look.");
        String first = id("call");
        String second = id("call");
        send(
                new ToolCallStartEvent(first, "weather", parent, null, null),
                new ToolCallStartEvent(second, "weather", parent, null, null),
                new ToolCallArgsEvent(first, "{\"city\":"),
                new ToolCallArgsEvent(second, "{\"city\":\"Bern\""),
                new ToolCallArgsEvent(first, "\"Zürich\"}"),
                new ToolCallArgsEvent(second, "}"),
                new ToolCallEndEvent(second),
                new ToolCallEndEvent(first));
        result(second, "{\"celsius\":19}");
        result(first, "{\"celsius\":21}");
        message("Zürich 21 °C, Bern 19 °C.");
    }

    private void reasoning() {
        String span = id("reasoning");
        String thought = id("thought");
        send(
                new ReasoningStartEvent(span),
                new ReasoningMessageStartEvent(thought),
                new ReasoningMessageContentEvent(thought, "The user asks"),
                new ReasoningMessageContentEvent(thought, " about the weather."),
                new ReasoningMessageEndEvent(thought),
                new ReasoningEncryptedValueEvent("message", thought, "c2VjcmV0"),
                new ReasoningEndEvent(span));
        message("It is 21 °C.");
    }

    private void sharedState() {
        send(
                new StateSnapshotEvent(Map.of("celsius", 20)),
                new StateDeltaEvent(List.of(
                        new JsonPatchOperation("replace", "/celsius", 21),
                        new JsonPatchOperation("add", "/log", List.of("asked")))),
                new StateDeltaEvent(List.of(
                        new JsonPatchOperation("test", "/log/0", "asked"),
                        new JsonPatchOperation("move", "/temperature", "/celsius", null),
                        new JsonPatchOperation("remove", "/log", null),
                        new JsonPatchOperation("add", "/done", false))));
        message("It is 21 °C.");
    }

    /** The SDK's operation has one null for "no value" and for the value null. */
    private void nullState() {
        send(
                new StateSnapshotEvent(Map.of("celsius", 20)),
                new StateDeltaEvent(List.of(new JsonPatchOperation("replace", "/celsius", null))));
        message("I do not know.");
    }

    private void messagesSnapshot() {
        List<Message> messages = new ArrayList<>(input.messages());
        messages.add(new AssistantMessage(message("Hello."), "Hello."));
        send(new MessagesSnapshotEvent(messages));
    }

    private void activity() {
        String id = id("activity");
        send(
                new ActivitySnapshotEvent(id, "SEARCH", Map.of("hits", List.of())),
                new ActivityDeltaEvent(id, "SEARCH",
                        List.of(new JsonPatchOperation("add", "/hits/-", "zurich.example"))),
                new ActivitySnapshotEvent(id, "SEARCH", Map.of(), false, null, null));
        message("Found it.");
    }

    private void steps() {
        send(
                new StepStartedEvent("look"),
                new RawEvent(Map.of("object", "chat.completion.chunk"), "openai", null, null),
                new CustomEvent("example.com/progress", 0.5),
                new StepFinishedEvent("look"),
                new StepStartedEvent("answer"));
        message("It is 21 °C.");
        send(new StepFinishedEvent("answer"));
    }

    private void chunks() {
        String text = id("message");
        String call = id("call");
        send(
                new TextMessageChunkEvent(text, Role.ASSISTANT, "I will"),
                new TextMessageChunkEvent(null, null, " look."),
                new ToolCallChunkEvent(call, "weather", text, "{\"city\":", null, null),
                new ToolCallChunkEvent(call, null, "\"Zürich\"}"));
        result(call, "{\"celsius\":21}");
        send(new ReasoningMessageChunkEvent(id("thought"), "Easy."));
        message("It is 21 °C.");
    }

    /** Asks before it sends a mail, and goes on when the client resumes. */
    private void interrupt() {
        if (input.resume() != null && !input.resume().isEmpty()) {
            AssistantMessage asked = (AssistantMessage) input.messages().get(1);
            result(asked.toolCalls().get(0).id(), input.resume().get(0).status().value());
            message("I sent it.");
            send(new RunFinishedEvent(input.threadId(), input.runId(), new SuccessOutcome(), null, null, null));
            return;
        }
        String call = call(message("May I?"), "send_mail", "{\"to\":\"ann@example.com\"}");
        Interrupt question = new Interrupt("interrupt-1", "tool_call", "Send the mail?", call,
                Map.of("type", "object"), null, null);
        send(new RunFinishedEvent(input.threadId(), input.runId(), new InterruptOutcome(List.of(question)), null, null,
                null));
    }
}
