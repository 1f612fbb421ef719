package conformance_test

import (
	"net/http/httptest"
	"testing"

	"github.com/agentstream/conformance/conformance"
	"github.com/agentstream/conformance/conformance/reference"
)

// What a user of the kit writes.
func TestAServerIsCertifiedInOneLine(t *testing.T) {
	server := httptest.NewServer(reference.New(reference.Options{}))
	defer server.Close()
	conformance.Test(t, conformance.HTTP(server.URL), conformance.Scenarios("text/*"))
}

func TestKnownFailuresAndFeaturesAreOptions(t *testing.T) {
	server := httptest.NewServer(reference.New(reference.Options{Habit: "extra-custom"}))
	defer server.Close()
	conformance.Test(t, conformance.HTTP(server.URL), conformance.Scenarios("text/content-after-end"), conformance.KnownFailing("text/* # it says more"))
	conformance.Test(t, conformance.HTTP(server.URL), conformance.Scenarios("interrupts/approve-then-resume"), conformance.Features("step"))
}
