import com.agui.community.core.event.Event;
import com.agui.community.core.event.EventType;
import com.agui.community.core.interrupt.OutcomeType;
import com.agui.community.core.interrupt.ResumeStatus;
import com.agui.community.core.interrupt.RunOutcome;
import com.agui.community.core.message.AssistantMessage;
import com.agui.community.core.message.DeveloperMessage;
import com.agui.community.core.message.Message;
import com.agui.community.core.message.Role;
import com.agui.community.core.message.SystemMessage;
import com.agui.community.core.message.ToolCall;
import com.agui.community.core.message.ToolMessage;
import com.agui.community.core.message.UserMessage;
import com.agui.community.core.serialization.SerializationException;
import com.agui.community.core.serialization.Serializer;
import com.fasterxml.jackson.annotation.JsonInclude;
import com.fasterxml.jackson.annotation.JsonProperty;
import com.fasterxml.jackson.annotation.JsonPropertyOrder;
import com.fasterxml.jackson.annotation.JsonSubTypes;
import com.fasterxml.jackson.annotation.JsonTypeInfo;
import com.fasterxml.jackson.annotation.JsonValue;
import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.DeserializationFeature;
import com.fasterxml.jackson.databind.JavaType;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.util.List;

/** The serializer that the SDK leaves to its users: Jackson over its records, absent members left out. */
class Json implements Serializer {
    private final ObjectMapper mapper = new ObjectMapper()
            .configure(DeserializationFeature.FAIL_ON_UNKNOWN_PROPERTIES, false)
            .setDefaultPropertyInclusion(JsonInclude.Include.NON_NULL)
            .addMixIn(Event.class, Typed.class)
            .addMixIn(RunOutcome.class, Typed.class)
            .addMixIn(ToolCall.class, Typed.class)
            .addMixIn(Message.class, ByRole.class)
            .addMixIn(EventType.class, Wire.class)
            .addMixIn(OutcomeType.class, Wire.class)
            .addMixIn(ResumeStatus.class, Wire.class)
            .addMixIn(Role.class, Wire.class);

    /** The type is a method of these records, no component, so Jackson does not see it by itself. */
    @JsonPropertyOrder("type")
    interface Typed {
        @JsonProperty("type")
        Object type();
    }

    @JsonTypeInfo(use = JsonTypeInfo.Id.NAME, property = "role")
    @JsonSubTypes({
        @JsonSubTypes.Type(value = AssistantMessage.class, name = "assistant"),
        @JsonSubTypes.Type(value = DeveloperMessage.class, name = "developer"),
        @JsonSubTypes.Type(value = SystemMessage.class, name = "system"),
        @JsonSubTypes.Type(value = ToolMessage.class, name = "tool"),
        @JsonSubTypes.Type(value = UserMessage.class, name = "user"),
    })
    interface ByRole {}

    interface Wire {
        @JsonValue
        String value();
    }

    @Override
    public String serialize(Object value) {
        try {
            return mapper.writeValueAsString(value);
        } catch (JsonProcessingException e) {
            throw new SerializationException(e.getMessage(), e);
        }
    }

    @Override
    public <T> T deserialize(String json, Class<T> type) {
        return read(json, mapper.constructType(type));
    }

    @Override
    public <T> List<T> deserializeList(String json, Class<T> type) {
        return read(json, mapper.getTypeFactory().constructCollectionType(List.class, type));
    }

    private <T> T read(String json, JavaType type) {
        try {
            return mapper.readValue(json, type);
        } catch (JsonProcessingException e) {
            throw new SerializationException(e.getMessage(), e);
        }
    }
}
