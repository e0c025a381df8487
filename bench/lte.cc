// A real LTE simulation against ns-3 as Debian ships it, with every trace of the LTE module on.
//
// eNBs in a row, a UE or several beside each, a data bearer per UE with UDP in both directions through the
// core network. PHY and MAC traces stay open and are flushed for every record; the four RLC and PDCP traces
// are opened, appended to and closed once per epoch, which is 1 ms here. The traces go to the current
// directory, under ns-3's own names. Seed and run are fixed: the same bytes every time.
//
//     lte [--seconds=2] [--enbs=2] [--ues=8] [--traces=1]

#include <ns3/applications-module.h>
#include <ns3/core-module.h>
#include <ns3/internet-module.h>
#include <ns3/lte-module.h>
#include <ns3/mobility-module.h>
#include <ns3/network-module.h>
#include <ns3/point-to-point-module.h>

using namespace ns3;

namespace
{

const double spacing = 500; // metres between two eNBs
const double distance = 60; // metres from an eNB to its UEs
const double epoch = 0.001; // seconds covered by one RLC or PDCP record
const uint16_t downlinkPort = 1100;
const uint16_t uplinkPort = 2000;

// A host in the internet, 10 ms behind the packet gateway.
Ptr<Node> makeRemoteHost(Ptr<PointToPointEpcHelper> core, Ipv4Address &address)
{
    Ptr<Node> host = CreateObject<Node>();
    InternetStackHelper().Install(host);
    PointToPointHelper link;
    link.SetDeviceAttribute("DataRate", StringValue("10Gb/s"));
    link.SetChannelAttribute("Delay", StringValue("10ms"));
    Ipv4AddressHelper network("1.0.0.0", "255.0.0.0");
    Ipv4InterfaceContainer ends = network.Assign(link.Install(core->GetPgwNode(), host));
    address = ends.GetAddress(1);
    Ipv4StaticRoutingHelper().GetStaticRouting(host->GetObject<Ipv4>())->AddNetworkRouteTo("7.0.0.0", "255.0.0.0", 1);
    return host;
}

NodeContainer place(uint32_t count, uint32_t enbs, double offset)
{
    NodeContainer nodes;
    nodes.Create(count);
    Ptr<ListPositionAllocator> positions = CreateObject<ListPositionAllocator>();
    for (uint32_t i = 0; i < count; i++)
        positions->Add(Vector(i % enbs * spacing, offset + offset / 4 * (i / enbs), 0));
    MobilityHelper mobility;
    mobility.SetPositionAllocator(positions);
    mobility.SetMobilityModel("ns3::ConstantPositionMobilityModel");
    mobility.Install(nodes);
    return nodes;
}

// A packet every 7 ms each way, from the first moment of the simulation on.
void addTraffic(Ptr<Node> ue, Ipv4Address ueAddress, Ptr<Node> host, Ipv4Address hostAddress, uint16_t index)
{
    struct Flow {
        Ptr<Node> from, to;
        Ipv4Address address;
        uint16_t port;
    };
    const Flow flows[] = {{host, ue, ueAddress, static_cast<uint16_t>(downlinkPort + index)},
                          {ue, host, hostAddress, static_cast<uint16_t>(uplinkPort + index)}};
    for (const Flow &flow : flows) {
        PacketSinkHelper sink("ns3::UdpSocketFactory", InetSocketAddress(Ipv4Address::GetAny(), flow.port));
        UdpClientHelper client(flow.address, flow.port);
        client.SetAttribute("Interval", TimeValue(MilliSeconds(7)));
        client.SetAttribute("MaxPackets", UintegerValue(100000000));
        sink.Install(flow.to).Start(Seconds(0));
        client.Install(flow.from).Start(MilliSeconds(50 + index));
    }
}

} // namespace

int main(int argc, char **argv)
{
    double seconds = 2;
    uint32_t enbs = 2, ues = 8;
    bool traces = true;
    CommandLine options(__FILE__);
    options.AddValue("seconds", "simulated time", seconds);
    options.AddValue("enbs", "number of base stations", enbs);
    options.AddValue("ues", "number of users in all", ues);
    options.AddValue("traces", "write the LTE traces", traces);
    options.Parse(argc, argv);

    RngSeedManager::SetSeed(1);
    RngSeedManager::SetRun(1);
    Config::SetDefault("ns3::RadioBearerStatsCalculator::EpochDuration", TimeValue(Seconds(epoch)));
    Config::SetDefault("ns3::RadioBearerStatsCalculator::StartTime", TimeValue(Seconds(0)));

    Ptr<LteHelper> lte = CreateObject<LteHelper>();
    Ptr<PointToPointEpcHelper> core = CreateObject<PointToPointEpcHelper>();
    lte->SetEpcHelper(core);
    Ipv4Address hostAddress;
    Ptr<Node> host = makeRemoteHost(core, hostAddress);

    NodeContainer enbNodes = place(enbs, enbs, 0);
    NodeContainer ueNodes = place(ues, enbs, distance);
    NetDeviceContainer enbDevices = lte->InstallEnbDevice(enbNodes);
    NetDeviceContainer ueDevices = lte->InstallUeDevice(ueNodes);
    InternetStackHelper().Install(ueNodes);
    Ipv4InterfaceContainer addresses = core->AssignUeIpv4Address(ueDevices);
    for (uint32_t i = 0; i < ues; i++) {
        Ipv4StaticRoutingHelper()
            .GetStaticRouting(ueNodes.Get(i)->GetObject<Ipv4>())
            ->SetDefaultRoute(core->GetUeDefaultGatewayAddress(), 1);
        lte->Attach(ueDevices.Get(i), enbDevices.Get(i % enbs));
        addTraffic(ueNodes.Get(i), addresses.GetAddress(i), host, hostAddress, i);
    }

    if (traces)
        lte->EnableTraces();
    Simulator::Stop(Seconds(seconds));
    Simulator::Run();
    Simulator::Destroy();
    return 0;
}
