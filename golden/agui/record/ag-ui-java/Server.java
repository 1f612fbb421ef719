import com.agui.community.core.agent.Agent;
import com.agui.community.core.agent.RunAgentInput;
import com.agui.community.core.event.Event;
import com.agui.community.core.message.Message;
import com.agui.community.core.message.UserMessage;
import com.agui.community.server.jdk.JdkAgentHttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.net.InetSocketAddress;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.Flow;

/**
 * Serves an agent with the Java SDK's own HTTP handler, until standard input closes.
 *
 * <p>Routing, status, headers, framing, flushing, event and message types, and RUN_ERROR for a failed publisher are the
 * SDK's. It has no agent loop and no JSON, so the sequence of events with its ids (Cases) and the serializer (Json) are
 * ours. Nothing is random and the SDK stamps no events, so there is nothing to fix.
 */
class Server {
    public static void main(String[] arguments) throws Exception {
        HttpServer server = HttpServer.create(new InetSocketAddress("127.0.0.1", 0), 0);
        server.setExecutor(Executors.newCachedThreadPool());
        CountDownLatch meeting = new CountDownLatch(3);
        Agent agent = input -> answer(input, meeting);
        server.createContext("/agent", new JdkAgentHttpHandler(agent, new Json()));
        server.start();
        System.out.printf("http://127.0.0.1:%d/agent%n", server.getAddress().getPort());
        while (System.in.read() >= 0) {}
        System.exit(0);
    }

    /** What the case named by the last user message does. Runs that come at once wait for each other. */
    static Flow.Publisher<Event> answer(RunAgentInput input, CountDownLatch meeting) {
        String name = prompt(input);
        if (name.startsWith("at-once-")) {
            meeting.countDown();
            try {
                meeting.await();
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
        Cases played = new Cases(input);
        played.play(name);
        return new Replay(played.events, played.failure);
    }

    static String prompt(RunAgentInput input) {
        String text = "";
        for (Message message : input.messages()) {
            if (message instanceof UserMessage) {
                text = message.content();
            }
        }
        return text;
    }

    /** Gives events as they are asked for, then fails or completes. */
    record Replay(List<Event> events, RuntimeException failure) implements Flow.Publisher<Event> {
        @Override
        public void subscribe(Flow.Subscriber<? super Event> subscriber) {
            subscriber.onSubscribe(new Flow.Subscription() {
                private long wanted;
                private int next;
                private boolean busy, done;

                // The subscriber asks for more from inside onNext, hence the guard.
                @Override
                public void request(long n) {
                    wanted += n;
                    if (busy) {
                        return;
                    }
                    busy = true;
                    while (!done && next < events.size() && wanted-- > 0) {
                        subscriber.onNext(events.get(next++));
                    }
                    busy = false;
                    if (!done && next == events.size()) {
                        end();
                    }
                }

                private void end() {
                    done = true;
                    if (failure != null) {
                        subscriber.onError(failure);
                    } else {
                        subscriber.onComplete();
                    }
                }

                @Override
                public void cancel() {
                    done = true;
                }
            });
        }
    }
}
